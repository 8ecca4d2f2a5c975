package io.slicewise.cli;

import static org.assertj.core.api.Assertions.assertThatCode;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.Test;

/** Protects docs/compare.md: every command line that it tells to type is understood. */
class ComparePageTest {
  private static final Pattern COMMAND = Pattern.compile("`?slicewise ((?:\\w+)[^`>\\n]*)");

  @Test
  void everyCommandLineParses() throws IOException {
    String page =
        Files.readString(Path.of(System.getProperty("slicewise.home", "."), "docs", "compare.md"));
    List<String> commands =
        COMMAND
            .matcher(page)
            .results()
            .map(found -> found.group(1).replaceAll(" \\|\\| .*", "").replace("'", "").strip())
            .filter(command -> !command.contains("|"))
            .toList();
    Assertions.assertThat(commands).hasSizeGreaterThan(5);
    for (String command : commands) {
      assertThatCode(() -> Slicewise.commandLine().parseArgs(command.split(" +", -1)))
          .as(command)
          .doesNotThrowAnyException();
    }
  }
}
