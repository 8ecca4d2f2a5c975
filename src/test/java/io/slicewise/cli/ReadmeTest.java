package io.slicewise.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Protects README.md: what it tells to type is understood, and it knows every command. */
class ReadmeTest {
  private static final Pattern CONSOLE = Pattern.compile("(?s)```console\\n(.*?)```");
  private static final Pattern ROW = Pattern.compile("(?m)^\\| (`[^|]+`) \\|");
  private static final Pattern COMMAND = Pattern.compile("`([^`]+)`");

  private final String readme;

  ReadmeTest() throws IOException {
    readme = Files.readString(Path.of(System.getProperty("slicewise.home", "."), "README.md"));
  }

  @Test
  void everyCommandLineParses() {
    List<String> lines =
        CONSOLE
            .matcher(readme)
            .results()
            .flatMap(block -> block.group(1).lines())
            .filter(line -> line.startsWith("./slicewise "))
            .map(line -> line.substring("./slicewise ".length()))
            .toList();
    assertThat(lines).isNotEmpty().allSatisfy(ReadmeTest::assertParses);
  }

  @Test
  void tableListsExactlyTheCommands() {
    Set<String> told =
        commands()
            .map(command -> command.split(" ", 2)[0])
            .collect(Collectors.toCollection(TreeSet::new));
    assertThat(told).isEqualTo(new TreeSet<>(Slicewise.commandLine().getSubcommands().keySet()));
  }

  @Test
  void everyCommandOfTheTableParses() {
    assertThat(commands().map(command -> command.replaceAll("[\\[\\]…]", "")))
        .allSatisfy(ReadmeTest::assertParses);
  }

  private Stream<String> commands() {
    String table =
        readme.substring(readme.indexOf("| command |"), readme.indexOf("Every command has"));
    return ROW.matcher(table)
        .results()
        .flatMap(row -> COMMAND.matcher(row.group(1)).results())
        .map((MatchResult found) -> found.group(1));
  }

  private static void assertParses(String command) {
    assertThatCode(() -> Slicewise.commandLine().parseArgs(command.split(" ")))
        .as(command)
        .doesNotThrowAnyException();
  }
}
