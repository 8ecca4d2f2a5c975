package io.slicewise.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The unit we ship starts what there is to start, and takes its end for a good one. */
class SystemdUnitTest {
  private static final Path UNIT =
      Path.of(System.getProperty("slicewise.home", "."), "systemd", "slicewise-target@.service");

  @ParameterizedTest
  @ValueSource(strings = {"web-app", "portal"})
  void startsASampleApplicationByAKnownCommand(String application) throws IOException {
    List<String> lines = Files.readAllLines(UNIT);
    String start =
        lines.stream().filter(line -> line.startsWith("ExecStart=")).findFirst().orElseThrow();
    String[] words =
        start
            .substring(start.indexOf(" target ") + 1)
            .replace("%i", application)
            .replace("${PORT}", "8080")
            .replace("${CONNECTIONS}", "8")
            .split(" ");
    assertThatCode(() -> Slicewise.commandLine().parseArgs(words)).doesNotThrowAnyException();
    assertThat(start).doesNotContain("--password ").contains("--password-file");
    assertThat(lines).contains("SuccessExitStatus=143", "WantedBy=multi-user.target");
  }
}
