package io.slicewise.cli.commands;

import static org.assertj.core.api.Assertions.assertThat;

import io.slicewise.cli.CommandLines;
import io.slicewise.cli.CommandLines.Said;
import io.slicewise.cli.screens.ExitCode;
import io.slicewise.run.RecordedRun;
import java.nio.file.Path;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Protects the list of runs from verdicts that no comparison supports. */
class RunsCommandTest {
  @TempDir private Path directory;

  @Test
  void aRunWithOneProfileHasNothingCompared() {
    run("one", 1);
    run("worse", 1.5);
    run("better", 0.5);
    assertThat(CommandLines.run("runs", "--results", directory.toString()).out().lines())
        .anyMatch(line -> line.startsWith("one ") && line.endsWith(" no answer yet"))
        .anyMatch(line -> line.startsWith("worse ") && line.contains(" keep what you have ("))
        .anyMatch(
            line ->
                line.startsWith("better ")
                    && line.contains(" use w512 (shown, not measured again)"));
  }

  @Test
  void aRunWithOneProfileIsNotComparedWithItself() {
    String single =
        RecordedRun.EXPERIMENT
            .lines()
            .filter(line -> !line.matches(".*name: (again|w512|both),.*"))
            .collect(Collectors.joining("\n"));
    RecordedRun.begin(directory.resolve("single"), single).end();
    Said said = CommandLines.run("compare", directory.resolve("single").toString());
    assertThat(said.exit()).isEqualTo(ExitCode.USAGE.code());
    assertThat(said.err())
        .contains("has one profile, so nothing can be compared within it", "name two runs");
  }

  @Test
  void aDirectoryWithoutRunsHasNoHistory() {
    Said said = CommandLines.run("history", directory.toString());
    assertThat(said.exit()).isEqualTo(ExitCode.USAGE.code());
    assertThat(said.err()).contains("there is no run in " + directory);
  }

  private void run(String name, double factor) {
    RecordedRun run = RecordedRun.begin(directory.resolve(name), RecordedRun.EXPERIMENT);
    int trial = 1;
    for (int block = 1; block <= 4; block++) {
      double p95 = 200 + block;
      run.trial(trial++, "w256", 50, block, 100, p95);
      if (factor != 1) {
        run.trial(trial++, "w512", 50, block, 100, p95 * factor);
      }
    }
    run.end();
  }
}
