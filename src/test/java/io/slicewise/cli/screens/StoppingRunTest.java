package io.slicewise.cli.screens;

import static org.assertj.core.api.Assertions.assertThat;

import io.slicewise.MeasuresInRealTime;
import io.slicewise.cli.CommandLines;
import io.slicewise.cli.lab.EmbeddedHost;
import io.slicewise.cli.screens.ProgressScreen.ExperimentPart;
import io.slicewise.experiment.Experiment;
import io.slicewise.experiment.Trial;
import io.slicewise.experiment.file.ExperimentFiles;
import io.slicewise.report.Reports;
import io.slicewise.run.RunDirectory;
import io.slicewise.run.RunOutcome;
import io.slicewise.run.StopRequest;
import io.slicewise.run.SweepListener;
import io.slicewise.run.journal.RunState;
import io.slicewise.run.result.Precision;
import io.slicewise.run.result.TrialResult;
import io.slicewise.sweep.LocalSweep;
import io.slicewise.sweep.Sweep;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Protects {@code stop}: blocks are added behind the repetitions until a bound is reached, a run
 * that is interrupted in an added block goes on with it, and run, status and report say why it
 * ended. Real requests on the embedded lab, which nobody makes precise to a thousandth of a
 * percent.
 */
@MeasuresInRealTime
class StoppingRunTest {
  private static final String TINY =
      """
      name: tiny
      lab: {scheduler: credit}
      domains: {main: [Apache_Server]}
      profiles: [as-found]
      workload: web-app
      users: [2]
      repetitions: 2
      stop: {precision: 0.001%, within: {trials: 3, time: 8h}}
      ramp: 0s
      warm-up: 2s
      measure: 3s
      limits: {errors: 50%, generator-cpu: 100%, other-work: 100%, generator-lateness: 9s, lab-lateness: 9s, generator-gc: 100%,
               littles-law: 100%, repeat-invalid: 0}
      """;

  private static final Clock CLOCK = Clock.systemUTC();

  @TempDir Path directory;
  private final StopRequest stop = new StopRequest(CLOCK);
  private final StringWriter err = new StringWriter();
  private final List<Integer> cooled = new ArrayList<>();

  @Test
  void addsBlocksUpToTheLimitAlsoAfterAnInterrupt() throws IOException {
    Experiment written =
        ExperimentFiles.read(Files.writeString(directory.resolve("tiny.yaml"), TINY));
    try (EmbeddedHost host = EmbeddedHost.forExperiment(written)) {
      Experiment experiment = host.experiment();
      Sweep sweep =
          LocalSweep.of(experiment)
              .with(stoppingInTheThirdBlock())
              .with(stop)
              .begin(directory.resolve("results"));
      RunOutcome first = sweep.execute();
      assertThat(first.state())
          .as(
              "%s %s",
              first.sentence(), sweep.run().results().stream().map(TrialResult::reasons).toList())
          .isEqualTo(RunState.INTERRUPTED);
      RunDirectory run = sweep.run();
      assertThat(run.record().blocks()).isEqualTo(3);
      assertThat(cooled).as("trials the host rested behind").containsExactly(1, 2);
      assertThat(run.results()).hasSize(2);
      assertThat(LocalSweep.of(experiment).resume(run).execute().sentence())
          .contains("3 blocks are the limit");
      assertThat(run.results()).hasSize(3);
      assertThat(String.join(" ", Reports.write(run).notes().apply(100)))
          .contains("stopped: 3 blocks are the limit; precise: 0 of 1 cells");
      assertThat(CommandLines.run("status", run.root().toString()).out())
          .contains("trials    3 of 3 finished", "precise   0 of 1 cells")
          .contains("3 blocks so far, at most 3");
      assertThat(err.toString())
          .contains("block 3 of at most 3: 1 more trials | precise already: 0 of 1 cells");
    }
  }

  private SweepListener stoppingInTheThirdBlock() {
    Experiment experiment = ExperimentFiles.read(directory.resolve("tiny.yaml"));
    PrintWriter printed = new PrintWriter(err, true);
    ProgressScreen screen =
        new ProgressScreen(printed, Optional.empty(), true, CLOCK, experiment, ExperimentPart.ONLY);
    return new SweepListener() {
      @Override
      public void blockAdded(int block, int trials, Precision precision) {
        screen.blockAdded(block, trials, precision);
      }

      @Override
      public void step(Trial trial, Step step, Duration expected) {
        if (step == Step.COOL_DOWN) {
          cooled.add(trial.number());
        }
        if (trial.block() == 3 && step == Step.MEASURE) {
          stop.askNow();
        }
      }
    };
  }
}
