package io.slicewise.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.slicewise.cli.CommandLines.Said;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.apache.commons.io.FileUtils;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Protects narrow terminals: no line of a screen is wider than the terminal, but for paths. */
@Isolated("sets the width of the terminal, a property of the process")
class NarrowTerminalTest {
  private static final Path RECORDED = Path.of("src/test/resources/recorded-run");
  private static final String PUBLISHED = "src/test/resources/published/";
  private static final String SAMPLES = "/trials/0001-credit-256-u8-r1/samples.jtl.gz";
  private static final String EXPERIMENT =
      """
      name: narrow
      lab: {version: xm-3.3, scheduler: credit}
      domains: {main: [Apache_Server, NFS_Server, MySQL_Server]}
      profiles:
        - {name: credit-with-a-heavy-web-server, scheduler: credit, main: {weight: 512}}
        - {name: sliced, scheduler: sedf, dom0: {period: 10ms, slice: 2ms, extratime: true}}
      baseline: credit-with-a-heavy-web-server
      workload: web-app
      users: [5, 10]
      repetitions: 2
      ramp: 0s
      warm-up: 1s
      measure: 3s
      """;

  @TempDir private Path directory;

  @AfterEach
  void noTerminal() {
    System.clearProperty("slicewise.columns");
  }

  @ParameterizedTest
  @ValueSource(ints = {60, 80})
  void noLineIsWiderThanTheTerminal(int width) throws IOException {
    System.setProperty("slicewise.columns", String.valueOf(width));
    Path file = Files.writeString(directory.resolve("narrow.yaml"), EXPERIMENT);
    Path results = directory.resolve("results");
    FileUtils.copyDirectory(RECORDED.toFile(), results.resolve("recorded").toFile());
    List<String> wide = new ArrayList<>();
    check(wide, width, "simulate", file.toString(), "--out", results.toString());
    check(wide, width, "plan", file.toString(), "--offline", "--trials", "--commands");
    check(wide, width, "plan", "experiments/demo-tune.yaml", "--offline");
    check(wide, width, "plan", "experiments/demo.yaml", "--offline");
    check(wide, width, "runs", "--results", results.toString());
    for (Path run : runs(results)) {
      for (String command :
          List.of("report", "compare", "recommend", "status", "history", "check")) {
        check(wide, width, command, run.toString());
      }
      check(wide, width, "report", run.toString(), "--goal", "p95<200");
    }
    check(wide, width, "reduce", results.resolve("recorded") + SAMPLES);
    check(wide, width, "check", PUBLISHED + "devine-2010-web-app.csv");
    check(wide, width, "study", "overhead", "--tables", PUBLISHED);
    check(wide, width, "study", "interference", "--tables", PUBLISHED);
    check(wide, width, "compare", directory.resolve("none").toString());
    check(wide, width, "--help");
    assertThat(wide).isEmpty();
  }

  private static List<Path> runs(Path results) throws IOException {
    try (Stream<Path> all = Files.list(results)) {
      return all.sorted().toList();
    }
  }

  private static void check(List<String> wide, int width, String... command) {
    Said said = CommandLines.run(command);
    assertThat(said.out() + said.err()).isNotBlank().doesNotContain("internal error");
    Stream.of(said.out(), said.err())
        .flatMap(String::lines)
        .filter(line -> line.length() > width && !isPath(line, width))
        .forEach(line -> wide.add(String.join(" ", command) + ": " + line));
  }

  /** Returns whether the line is too wide because it holds a long path, which is never broken. */
  private static boolean isPath(String line, int width) {
    return Stream.of(line.split(" "))
        .anyMatch(word -> word.contains("/") && word.length() > width / 2);
  }
}
