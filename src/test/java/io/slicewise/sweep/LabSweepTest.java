package io.slicewise.sweep;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.slicewise.KeepsTheMachineBusy;
import io.slicewise.base.units.SlicewiseException;
import io.slicewise.experiment.Experiment;
import io.slicewise.experiment.Plan;
import io.slicewise.experiment.Trial;
import io.slicewise.host.monitor.Dom0Counters;
import io.slicewise.host.monitor.Recordings;
import io.slicewise.lab.Lab;
import io.slicewise.lab.LabGuest;
import io.slicewise.lab.LabOptions;
import io.slicewise.lab.LabSettings;
import io.slicewise.lab.fault.FaultKind;
import io.slicewise.lab.fault.LabFault;
import io.slicewise.load.generator.LoadGenerator;
import io.slicewise.observe.Observation;
import io.slicewise.observe.Sighting;
import io.slicewise.profile.Scheduler;
import io.slicewise.profile.SchedulerParameters.Credit;
import io.slicewise.run.JournalEvent;
import io.slicewise.run.RunOutcome;
import io.slicewise.run.RunState;
import io.slicewise.run.StopRequest;
import io.slicewise.run.SweepListener;
import io.slicewise.run.SweepListener.Step;
import io.slicewise.run.TrialResult;
import io.slicewise.run.validity.Finding;
import io.slicewise.run.validity.Rule;
import io.slicewise.ssh.Command;
import io.slicewise.ssh.RemoteShell;
import io.slicewise.ssh.RemoteShellException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * Protects the order of a trial's steps and the promise to restore, on an embedded host reached
 * over real SSH. The host's settings are read from the simulated machine, not through the
 * toolstack.
 */
@KeepsTheMachineBusy
@Execution(ExecutionMode.CONCURRENT)
class LabSweepTest {
  @TempDir Path directory;

  private final StopRequest stop = new StopRequest(Clock.systemUTC());

  private static LabOptions burning() {
    return LabOptions.sshOnly()
        .withScheduler(Scheduler.CREDIT)
        .withGuests(LabGuest.burning("Apache_Server", 1), LabGuest.burning("NFS_Server", 1));
  }

  private static final Credit W512 = new Credit(512, 0);

  private static SweepListener atEachStep(BiConsumer<Trial, Step> action) {
    return new SweepListener() {
      @Override
      public void step(Trial trial, Step step, Duration expected) {
        action.accept(trial, step);
      }
    };
  }

  /** Told when the measured window of a trial begins. */
  private static SweepListener measuring(Consumer<Trial> action) {
    return atEachStep(
        (trial, step) -> {
          if (step == Step.MEASURE) {
            action.accept(trial);
          }
        });
  }

  private Sweep sweep(Experiment experiment) {
    return sweep(experiment, new SweepListener() {});
  }

  private Sweep sweep(Experiment experiment, SweepListener listener) {
    return sweep(experiment, listener, SweepOptions.DEFAULT.hostPatience());
  }

  private Sweep sweep(Experiment experiment, SweepListener listener, Duration patience) {
    return Sweep.begin(
        experiment,
        directory.resolve("results"),
        new SweepOptions(false, patience),
        listener,
        stop,
        LoadGenerator.forked(),
        Clock.systemUTC());
  }

  @Test
  void runsEveryTrialAndLeavesTheHostAsFound() {
    try (Lab lab = Lab.start(burning())) {
      LabSettings asFound = lab.settings();
      Sweep sweep = sweep(four(lab));
      assertThat(sweep.execute().state()).isEqualTo(RunState.DONE);
      assertThat(lab.settings()).isEqualTo(asFound);
      assertThat(sweep.run().results()).hasSize(4).allMatch(TrialResult::valid);
      assertThat(result(sweep, "w1024").host().applied())
          .containsEntry("Apache_Server", new Credit(1024, 0))
          .containsEntry("NFS_Server", new Credit(128, 0));
    }
  }

  @Test
  void eachTrialTellsWhatDom0sOwnKernelCounted() {
    try (Lab lab = Lab.start(burning())) {
      Sweep sweep = sweep(two(lab));
      assertThat(sweep.execute().state()).isEqualTo(RunState.DONE);
      for (TrialResult result : sweep.run().results()) {
        Observation seen = result.observed(Dom0Counters.TOPIC).orElseThrow();
        Sighting dom0 = seen.sightings().get(0);
        assertThat(dom0.value(Dom0Counters.SECONDS))
            .isCloseTo(result.window().seconds(), within(0.5));
        assertThat(dom0.value(Dom0Counters.BUSY) + dom0.value(Dom0Counters.STOLEN))
            .isBetween(0.0, 1.0);
        Path raw = sweep.run().trialDirectory(result.trial().slug()).resolve("proc/dom0.txt.gz");
        assertThat(Recordings.source(raw)).contains(Recordings.Source.PROC);
      }
    }
  }

  @Test
  void aHostThatHidesItsCountersCostsASentenceAndNoTrial() {
    LabFault hidden = LabFault.at(FaultKind.REFUSE_COMMAND, "cat /proc/uptime").times(100);
    try (Lab lab = Lab.start(burning().withFaults(hidden))) {
      Sweep sweep = sweep(two(lab));
      assertThat(sweep.execute().state()).isEqualTo(RunState.DONE);
      assertThat(sweep.run().results())
          .hasSize(2)
          .allMatch(TrialResult::valid)
          .allMatch(
              result -> result.observed(Dom0Counters.TOPIC).orElseThrow().sightings().isEmpty())
          .allSatisfy(
              result ->
                  assertThat(result.warnings())
                      .contains(
                          "dom0's /proc could not be read: cat answered 126"
                              + " (bash: line 1: cat: Permission denied)"));
    }
  }

  @Test
  void eachProfileRunsWithItsOwnSettingsAndNothingOfTheLastOne() {
    try (Lab lab = Lab.start(burning())) {
      List<LabSettings> seen = new ArrayList<>();
      List<String> profiles = new ArrayList<>();
      SweepListener watcher =
          measuring(
              trial -> {
                seen.add(lab.settings());
                profiles.add(trial.profile());
              });
      sweep(four(lab), watcher).execute();
      assertThat(seen.get(profiles.indexOf("cap50")).of("Apache_Server"))
          .isEqualTo(new Credit(256, 50));
      assertThat(seen.get(profiles.indexOf("cap50")).of("NFS_Server"))
          .isEqualTo(new Credit(256, 0));
      assertThat(seen.get(profiles.indexOf("as-found")).of("Apache_Server"))
          .isEqualTo(new Credit(256, 0));
    }
  }

  @Test
  void aSettingTheHostIgnoresFailsItsTrialAndSaysWhatWasReadBack() {
    LabFault ignores = LabFault.at(FaultKind.IGNORE_SETTING, "xl sched-credit -d").times(100);
    try (Lab lab = Lab.start(burning().withFaults(ignores))) {
      Sweep sweep = sweep(two(lab));
      assertThat(sweep.execute().state()).isEqualTo(RunState.TRIALS_FAILED);
      assertThat(sweep.run().record().failed().values())
          .extracting(JournalEvent.TrialFailed::reason)
          .anyMatch(
              reason ->
                  reason.contains("Apache_Server: asked weight 512 cap 0, read weight 256 cap 0"));
    }
  }

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
      assertThat(LabExperiment.goOn(sweep.run(), experiment).state()).isEqualTo(RunState.DONE);
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
                meddle(experiment);
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
      assertThat(LabExperiment.goOn(sweep.run(), experiment).state()).isEqualTo(RunState.DONE);
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
                  meddle(experiment);
                } else if (trial.attempt() == 2 && step == Step.MEASURE) {
                  throw new IllegalStateException("broken screen");
                }
              });
      Sweep sweep = sweep(experiment, meddler);
      RunOutcome outcome = sweep.execute();
      assertThat(outcome.state()).isEqualTo(RunState.TRIALS_FAILED);
      assertThat(outcome.sentence()).endsWith("1 trial left");
      assertThat(LabExperiment.goOn(sweep.run(), experiment).state()).isEqualTo(RunState.DONE);
      assertThat(sweep.run().results())
          .extracting(result -> result.trial().attempt() + " " + result.valid())
          .containsExactly("1 false", "2 true", "1 true");
    }
  }

  @Test
  void aHostThatAnotherRunHoldsMeanwhileIsNotWrittenTo() {
    try (Lab lab = Lab.start(burning())) {
      LabSettings asFound = lab.settings();
      Experiment experiment = two(lab);
      String link = "/var/run/slicewise.lock";
      SweepListener other =
          measuring(
              trial -> {
                if (!lab.settings().equals(asFound)) {
                  atTheHost(experiment, "rm", "-f", link);
                  atTheHost(experiment, "ln", "-s", "other (process 1 on b)", link);
                  stop.ask();
                }
              });
      Sweep sweep = sweep(experiment, other);
      RunOutcome outcome = sweep.execute();
      assertThat(outcome.state()).isEqualTo(RunState.NOT_RESTORED);
      assertThat(lab.settings()).isNotEqualTo(asFound);
      atTheHost(experiment, "rm", link);
      assertThat(LabExperiment.goOn(sweep.run(), experiment).state()).isEqualTo(RunState.DONE);
      assertThat(lab.settings()).isEqualTo(asFound);
    }
  }

  /** What another person at the host might do: one weight changes while a trial is under way. */
  private static void meddle(Experiment experiment) {
    atTheHost(experiment, "xl", "sched-credit", "-d", "Apache_Server", "-w", "300");
  }

  private static void atTheHost(Experiment experiment, String... words) {
    try (RemoteShell other = HostShells.open(experiment.host().orElseThrow())) {
      other.run(Command.changing(words));
    }
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
      assertThat(LabExperiment.goOn(sweep.run(), experiment).state()).isEqualTo(RunState.DONE);
    }
  }

  @Test
  void aBrokenConnectionCostsOneAttemptAndNoTrial() {
    LabFault drop = LabFault.at(FaultKind.DROP_CONNECTION, "xl sched-credit").occurrence(6);
    try (Lab lab = Lab.start(burning().withFaults(drop))) {
      LabSettings asFound = lab.settings();
      Sweep sweep = sweep(two(lab));
      assertThat(sweep.execute().state()).isEqualTo(RunState.DONE);
      assertThat(sweep.run().results()).hasSize(2);
      assertThat(lab.settings()).isEqualTo(asFound);
    }
  }

  @Test
  void aFaultOfThisProgramFailsItsTrialKeepsTheTraceAndRestores() {
    try (Lab lab = Lab.start(burning())) {
      LabSettings asFound = lab.settings();
      SweepListener broken =
          measuring(
              trial -> {
                throw new IllegalStateException("broken screen");
              });
      Sweep sweep = sweep(two(lab), broken);
      RunOutcome outcome = sweep.execute();
      assertThat(outcome.state()).isEqualTo(RunState.NO_VALID_DATA);
      assertThat(outcome.progressed()).isFalse();
      assertThat(outcome.restored()).containsEntry("Apache_Server", new Credit(256, 0));
      assertThat(lab.settings()).isEqualTo(asFound);
      Trial first = Plan.of(two(lab)).get(0);
      assertThat(sweep.run().trialDirectory(first.slug()).resolve("fault.txt"))
          .content()
          .contains("broken screen", "LabSweepTest");
    }
  }

  @Test
  void anErrorEndsTheRunAndTheHostIsRestoredAllTheSame() {
    try (Lab lab = Lab.start(burning())) {
      LabSettings asFound = lab.settings();
      SweepListener broken =
          measuring(
              trial -> {
                throw new AssertionError("must not happen");
              });
      Sweep sweep = sweep(two(lab), broken);
      assertThatThrownBy(sweep::execute).isInstanceOf(AssertionError.class);
      assertThat(lab.settings()).isEqualTo(asFound);
      assertThat(sweep.run().record().touched()).isEmpty();
    }
  }

  @Test
  void aSettingThatIsRefusedWhileItIsPutBackIsPutBackAgain() {
    LabFault refuses =
        LabFault.at(FaultKind.REFUSE_COMMAND, "xl sched-credit -d 1 -w 256").times(2);
    try (Lab lab = Lab.start(burning().withFaults(refuses))) {
      LabSettings asFound = lab.settings();
      List<String> notices = new ArrayList<>();
      SweepListener ear =
          new SweepListener() {
            @Override
            public void notice(String sentence) {
              notices.add(sentence);
            }
          };
      assertThat(sweep(two(lab), ear).execute().state()).isEqualTo(RunState.DONE);
      assertThat(notices).anyMatch(notice -> notice.startsWith("not restored yet: Apache_Server"));
      assertThat(lab.settings()).isEqualTo(asFound);
    }
  }

  @Test
  void aHostThatIsGoneBeforeItIsRestoredIsToldAsThat() {
    try (Lab lab = Lab.start(burning())) {
      Experiment experiment = two(lab);
      SweepListener gone =
          measuring(
              trial -> {
                if (lab.settings().of("Apache_Server").equals(W512)) {
                  lab.close();
                }
              });
      RunOutcome outcome = sweep(experiment, gone, Duration.ZERO).execute();
      assertThat(outcome.state()).isEqualTo(RunState.NOT_RESTORED);
      assertThat(outcome.sentence()).contains("run 'slicewise restore ");
    }
  }

  @Test
  void aRefusedRunLeavesNoDirectoryBehind() {
    Experiment experiment;
    try (Lab lab = Lab.start(burning())) {
      experiment = two(lab);
    }
    Sweep sweep = sweep(experiment);
    assertThatThrownBy(sweep::execute).isInstanceOf(RemoteShellException.class);
    assertThat(directory.resolve("results")).isEmptyDirectory();
  }

  @Test
  void refusesToGoOnWithAnotherPlan() throws IOException {
    try (Lab lab = Lab.start(burning())) {
      Path written = LabExperiment.two(lab, directory);
      Sweep sweep = sweep(LabExperiment.read(written));
      sweep.execute();
      Files.writeString(written, Files.readString(written).replace("w512", "w513"));
      assertThatThrownBy(() -> LabExperiment.goOn(sweep.run(), LabExperiment.read(written)))
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
      assertThatThrownBy(() -> LabExperiment.goOn(sweep.run(), LabExperiment.read(written)))
          .isInstanceOf(SlicewiseException.class)
          .hasMessageContaining("experiment.yaml was edited since trials finished: profile w512")
          .hasMessageContaining("weight 512 cap 0 and is Apache_Server credit weight 768 cap 0");
      Files.writeString(written, text + "limits: {errors: 5%}\n");
      assertThatThrownBy(() -> LabExperiment.goOn(sweep.run(), LabExperiment.read(written)))
          .hasMessageContaining("limit of errors was 0.5% and is 5%");
      Files.writeString(written, text);
      assertThat(LabExperiment.goOn(sweep.run(), LabExperiment.read(written)).state())
          .isEqualTo(RunState.DONE);
    }
  }

  @Test
  void aHostHeldByAnotherRunIsLeftAlone() {
    try (Lab lab = Lab.start(burning())) {
      Experiment experiment = two(lab);
      SweepListener intruder =
          new SweepListener() {
            @Override
            public void trialStarted(Trial trial) {
              if (trial.number() == 1) {
                assertThatThrownBy(() -> sweep(experiment).execute())
                    .isInstanceOf(SlicewiseException.class)
                    .hasMessageContaining("is held by watched-");
                stop.ask();
              }
            }
          };
      assertThat(sweep(experiment, intruder).execute().state()).isEqualTo(RunState.INTERRUPTED);
    }
  }

  private Experiment two(Lab lab) {
    return LabExperiment.read(LabExperiment.two(lab, directory));
  }

  private Experiment four(Lab lab) {
    return LabExperiment.read(LabExperiment.four(lab, directory));
  }

  private static TrialResult result(Sweep sweep, String profile) {
    return sweep.run().results().stream()
        .filter(result -> result.trial().profile().equals(profile))
        .findFirst()
        .orElseThrow();
  }
}
