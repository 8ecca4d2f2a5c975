package io.slicewise.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
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

  @Test
  void nightIsStartedByAKnownCommand() throws IOException {
    String start =
        Files.readAllLines(UNIT.resolveSibling("slicewise-nightly.service")).stream()
            .filter(line -> line.startsWith("ExecStart="))
            .findFirst()
            .orElseThrow();
    assertThat(start).startsWith("ExecStart=/bin/sh -c 'exec slicewise nightly ");
    String words =
        start.replaceAll(".*exec slicewise ", "").replace("'", "").replace(" $OPTIONS", "");
    assertThatCode(() -> Slicewise.commandLine().parseArgs(words.split(" ")))
        .doesNotThrowAnyException();
  }

  @Test
  void policyIsFollowedByAKnownCommand() throws IOException {
    String start =
        Files.readAllLines(UNIT.resolveSibling("slicewise-follow@.service")).stream()
            .filter(line -> line.startsWith("ExecStart="))
            .findFirst()
            .orElseThrow();
    String words = start.replace("ExecStart=slicewise ", "");
    assertThatCode(() -> Slicewise.commandLine().parseArgs(words.split(" ")))
        .doesNotThrowAnyException();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "slicewise-follow@web.service",
        "slicewise-nightly.service",
        "slicewise-nightly.timer",
        "slicewise-target@web-app.service"
      })
  void systemdAcceptsTheUnit(String unit, @TempDir Path directory) throws Exception {
    Path verifier = Path.of("/usr/bin/systemd-analyze");
    assumeTrue(Files.isExecutable(verifier), "no systemd here");
    Path program = Files.writeString(directory.resolve("slicewise"), "#!/bin/sh\n");
    assertThat(program.toFile().setExecutable(true)).isTrue();
    try (Stream<Path> units = Files.list(UNIT.getParent())) {
      for (Path file : units.toList()) {
        // The program need not be installed where the tests run.
        Files.writeString(
            directory.resolve(file.getFileName()),
            Files.readString(file).replace("ExecStart=slicewise", "ExecStart=" + program));
      }
    }
    Process verify =
        new ProcessBuilder(
                verifier.toString(), "verify", "--man=no", directory.resolve(unit).toString())
            .redirectErrorStream(true)
            .start();
    String output = new String(verify.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(verify.waitFor()).as(output).isZero();
    assertThat(output.lines()).noneMatch(line -> line.contains("slicewise-"));
  }
}
