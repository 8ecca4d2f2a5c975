package io.slicewise.sweep;

import static io.slicewise.sweep.LocalSweep.atEachStep;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.slicewise.KeepsTheMachineBusy;
import io.slicewise.base.units.SlicewiseException;
import io.slicewise.experiment.Experiment;
import io.slicewise.experiment.Plan;
import io.slicewise.experiment.Trial;
import io.slicewise.lab.Lab;
import io.slicewise.lab.LabSettings;
import io.slicewise.profile.Scheduler;
import io.slicewise.run.RunOutcome;
import io.slicewise.run.SweepListener;
import io.slicewise.run.SweepListener.Step;
import io.slicewise.run.journal.RunState;
import io.slicewise.run.validity.Judgement.Finding;
import io.slicewise.run.validity.Rule;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * Protects what a run may go on with: trials that are open, invalid, failed or wait for a reboot,
 * under the settings that its finished trials were made by and no others.
 */
@KeepsTheMachineBusy
@Execution(ExecutionMode.CONCURRENT)
class ResumedSweepTest extends SweepsOnLab {
  @Test
  void anInterruptEndsAfterTheTrialRestoresAndCanBeResumed() {
    try (Lab lab = Lab.start(burning())) {
      LabSettings asFound = lab.settings();
      Experiment experiment = two(lab);
      SweepListener impatient =
          measuring(
              trial -> {
                if (trial.number() == 1) {
                  stop.ask();
                }
              });
      Sweep sweep = sweep(experiment, impatient);
      assertThat(sweep.execute().state()).isEqualTo(RunState.INTERRUPTED);
      assertThat(lab.settings()).isEqualTo(asFound);
      assertThat(sweep.run().record().finished()).containsExactly(1);
      assertThat(LabExperiment.resume(sweep.run(), experiment).state()).isEqualTo(RunState.DONE);
      assertThat(sweep.run().results()).hasSize(2);
    }
  }

  @Test
  void anInvalidTrialIsTriedAgainBehindItsBlockAlsoWhenTheRunIsResumed() {
    try (Lab lab = Lab.start(burning())) {
      Experiment experiment = two(lab);
      List<String> told = new ArrayList<>();
      SweepListener meddler =
          new SweepListener() {
            @Override
            public void step(Trial trial, Step step, Duration expected) {
              if (trial.number() == 1 && trial.attempt() == 1 && step == Step.COLLECT) {
                meddle(experiment, "300");
              } else if (step == Step.APPLY) {
                meddle(experiment, "256");
              } else if (trial.number() == 2 && step == Step.MEASURE) {
                stop.ask();
              }
            }

            @Override
            public void queuedAgain(Trial trial, int repeat, int most) {
              told.add(trial.slug() + " " + repeat + " of " + most);
            }
          };
      Sweep sweep = sweep(experiment, meddler);
      assertThat(sweep.execute().state()).isEqualTo(RunState.INTERRUPTED);
      String first = Plan.of(experiment).get(0).slug();
      assertThat(told).containsExactly(first + "-try2 1 of 2");
      assertThat(LabExperiment.resume(sweep.run(), experiment).state()).isEqualTo(RunState.DONE);
      assertThat(sweep.run().results())
          .extracting(result -> result.trial().attempt() + " " + result.valid())
          .containsExactly("1 false", "2 true", "1 true");
      assertThat(sweep.run().results().get(0).findings())
          .extracting(Finding::rule)
          .contains(Rule.SETTINGS);
      assertThat(sweep.run().trialDirectory(first)).isNotEmptyDirectory();
      assertThat(sweep.run().trialDirectory(first + "-try2")).isNotEmptyDirectory();
    }
  }

  @Test
  void aRunWhoseSecondAttemptFailedIsNotDone() {
    try (Lab lab = Lab.start(burning())) {
      Experiment experiment = two(lab);
      SweepListener meddler =
          atEachStep(
              (trial, step) -> {
                if (trial.number() == 1 && trial.attempt() == 1 && step == Step.COLLECT) {
                  meddle(experiment, "300");
                } else if (step == Step.APPLY) {
                  meddle(experiment, "256");
                } else if (trial.attempt() == 2 && step == Step.MEASURE) {
                  throw new IllegalStateException("broken screen");
                }
              });
      Sweep sweep = sweep(experiment, meddler);
      RunOutcome outcome = sweep.execute();
      assertThat(outcome.state()).isEqualTo(RunState.TRIALS_FAILED);
      assertThat(outcome.sentence()).endsWith("1 trial left");
      assertThat(LabExperiment.resume(sweep.run(), experiment).state()).isEqualTo(RunState.DONE);
      assertThat(sweep.run().results())
          .extracting(result -> result.trial().attempt() + " " + result.valid())
          .containsExactly("1 false", "2 true", "1 true");
    }
  }

  /** What another person might do: change a weight during a trial, and put it back afterwards. */
  private static void meddle(Experiment experiment, String weight) {
    atTheHost(experiment, "xl", "sched-credit", "-d", "Apache_Server", "-w", weight);
  }

  @Test
  void profilesOfAnotherSchedulerWaitForTheReboot() {
    try (Lab lab = Lab.start(burning().withScheduler(Scheduler.CREDIT2))) {
      Experiment experiment = two(lab);
      Sweep sweep = sweep(experiment);
      RunOutcome first = sweep.execute();
      assertThat(first.state()).isEqualTo(RunState.NEEDS_REBOOT);
      assertThat(first.waitingFor()).containsExactly(Scheduler.CREDIT);
      assertThat(first.sentence()).startsWith("1 trial needs sched=credit: reboot the host");
      assertThat(first.progressed()).isTrue();
      assertThat(sweep.run().results())
          .extracting(result -> result.trial().profile())
          .containsExactly("as-found");
      lab.reboot(Scheduler.CREDIT);
      assertThat(LabExperiment.resume(sweep.run(), experiment).state()).isEqualTo(RunState.DONE);
    }
  }

  @Test
  void refusesToGoOnWithAnotherPlan() throws IOException {
    try (Lab lab = Lab.start(burning())) {
      Path written = LabExperiment.two(lab, directory);
      Sweep sweep = sweep(LabExperiment.read(written));
      sweep.execute();
      Files.writeString(written, Files.readString(written).replace("w512", "w513"));
      assertThatThrownBy(() -> LabExperiment.resume(sweep.run(), LabExperiment.read(written)))
          .isInstanceOf(SlicewiseException.class)
          .hasMessageContaining("experiment.yaml was edited: trial ");
      assertThat(sweep.run().root()).isNotEmptyDirectory();
    }
  }

  @Test
  void refusesToGoOnWithTrialsOfAnotherKind() throws IOException {
    try (Lab lab = Lab.start(burning())) {
      Path written = LabExperiment.two(lab, directory);
      Sweep sweep = sweep(LabExperiment.read(written));
      sweep.execute();
      String text = Files.readString(written);
      Files.writeString(written, text.replace("weight: 512", "weight: 768"));
      assertThatThrownBy(() -> LabExperiment.resume(sweep.run(), LabExperiment.read(written)))
          .isInstanceOf(SlicewiseException.class)
          .hasMessageContaining("experiment.yaml was edited since trials finished: profile w512")
          .hasMessageContaining("weight 512 cap 0 and is Apache_Server credit weight 768 cap 0");
      Files.writeString(written, text.replace("limits: {", "limits: {errors: 5%, "));
      assertThatThrownBy(() -> LabExperiment.resume(sweep.run(), LabExperiment.read(written)))
          .hasMessageContaining("limit of errors was 0.5% and is 5%");
      Files.writeString(written, text);
      assertThat(LabExperiment.resume(sweep.run(), LabExperiment.read(written)).state())
          .isEqualTo(RunState.DONE);
    }
  }
}
