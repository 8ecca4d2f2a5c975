package io.slicewise.cli.commands;

import static org.assertj.core.api.Assertions.assertThat;

import io.slicewise.cli.CommandLines;
import io.slicewise.run.RecordedRun;
import java.nio.file.Path;
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
        .anyMatch(line -> line.startsWith("one ") && line.endsWith(" nothing compared"))
        .anyMatch(line -> line.startsWith("worse ") && line.endsWith(" no profile is better"))
        .anyMatch(line -> line.startsWith("better ") && line.endsWith(" use w512"));
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
