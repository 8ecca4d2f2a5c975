package io.slicewise.sweep;

import static org.assertj.core.api.Assertions.assertThat;

import io.slicewise.FinishedTrials;
import io.slicewise.KeepsTheMachineBusy;
import io.slicewise.SlicewiseProcess;
import io.slicewise.lab.Lab;
import io.slicewise.lab.LabSettings;
import io.slicewise.run.RunDirectory;
import io.slicewise.run.journal.RunState;
import io.slicewise.sweep.guard.SweepOptions;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Protects the promise to whoever owns the host: a run killed with SIGKILL at any point leaves a
 * journal from which {@code restore} puts every setting back, and from which {@code resume}
 * finishes the run without losing a finished trial or counting one twice.
 *
 * <p>The run is a process of its own, the lab lives in this one, and its settings are read from the
 * simulated machine itself, not through the toolstack.
 */
@KeepsTheMachineBusy
@Execution(ExecutionMode.CONCURRENT)
@Tag("thorough")
class KilledRunTest {
  private static final Duration PATIENCE = Duration.ofMinutes(3);

  /**
   * Of a run that nobody kills: placed, started, found, planned, two trials started and finished,
   * two settings applied, two put back, restored, ended; and where its guests are.
   */
  private static final int LINES = 15;

  private static final int TRIALS = 2;

  @TempDir Path directory;

  /** Each on a lab of its own, at once: such a run mostly waits for its windows to end. */
  @ParameterizedTest
  @ValueSource(longs = {11, 12, 13})
  void restoreAndResumeMendARunKilledAtAnyPoint(long seed) throws Exception {
    killAndMend(2, seed);
  }

  @Test
  @Tag("nightly")
  void restoreAndResumeMendARunKilledAtSixtyPoints() throws Exception {
    killAndMend(60, 14);
  }

  private void killAndMend(int points, long seed) throws Exception {
    SplittableRandom random = new SplittableRandom(seed);
    try (Lab lab = Lab.start(SweepsOnLab.burning())) {
      LabSettings asFound = lab.settings();
      Path experiment = LabExperiment.pair(lab, directory);
      Path results = directory.resolve("results");
      int killed = 0;
      for (int point = 0; point < points; point++) {
        int lines = 2 + random.nextInt(LINES - 2);
        int micros = random.nextInt(400_000);
        killed += killAfter(experiment, results, lines, micros) ? 1 : 0;
        RunDirectory run = RunDirectory.newest(results).orElseThrow();
        List<Integer> finishedBefore = FinishedTrials.of(run);
        HostRestore.restore(
            run, LabExperiment.read(experiment), SweepOptions.DEFAULT, Clock.systemUTC());
        assertThat(lab.settings()).as("restored, seed %s point %s", seed, point).isEqualTo(asFound);
        if (point % 3 == 0) {
          assertThat(LabExperiment.resume(run, LabExperiment.read(experiment)).state())
              .isEqualTo(RunState.DONE);
          assertThat(lab.settings()).isEqualTo(asFound);
          assertWholeAndOnce(run, finishedBefore);
        }
      }
      assertThat(killed).as("runs killed before they ended").isGreaterThanOrEqualTo(points / 2);
    }
  }

  /** Starts a run and kills it a moment after its journal has that many lines. */
  private boolean killAfter(Path experiment, Path results, int lines, int micros)
      throws IOException, InterruptedException {
    Optional<Path> before = RunDirectory.newest(results).map(RunDirectory::root);
    Process process =
        SlicewiseProcess.start(
            directory,
            "run",
            experiment.toString(),
            "--results",
            results.toString(),
            "--take-lock");
    try {
      Awaitility.await()
          .atMost(PATIENCE)
          .pollInterval(Duration.ofMillis(2))
          .until(() -> !process.isAlive() || newLines(results, before) >= lines);
      TimeUnit.MICROSECONDS.sleep(micros);
      boolean alive = process.isAlive();
      return alive;
    } finally {
      process.destroyForcibly().waitFor();
    }
  }

  private static int newLines(Path results, Optional<Path> before) {
    return RunDirectory.newest(results)
        .filter(run -> !before.equals(Optional.of(run.root())))
        .map(run -> lineCount(run.journalFile()))
        .orElse(0);
  }

  private static int lineCount(Path file) {
    try {
      return (int) Files.readString(file).chars().filter(c -> c == '\n').count();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void assertWholeAndOnce(RunDirectory run, List<Integer> finishedBefore) {
    List<Integer> finished = FinishedTrials.of(run);
    assertThat(finished).doesNotHaveDuplicates().containsAll(finishedBefore).hasSize(TRIALS);
    assertThat(run.results())
        .extracting(result -> result.trial().number())
        .isSorted()
        .hasSize(TRIALS);
  }
}
