package io.slicewise.sweep;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.slicewise.KeepsTheMachineBusy;
import io.slicewise.base.units.SlicewiseException;
import io.slicewise.experiment.Experiment;
import io.slicewise.experiment.Plan;
import io.slicewise.experiment.Trial;
import io.slicewise.host.monitor.Recordings;
import io.slicewise.host.monitor.machine.Machines;
import io.slicewise.lab.Lab;
import io.slicewise.lab.LabSettings;
import io.slicewise.lab.fault.LabFault;
import io.slicewise.lab.fault.LabFault.FaultKind;
import io.slicewise.observe.MachineCounters;
import io.slicewise.observe.MachineCounters.Tier;
import io.slicewise.profile.Credit;
import io.slicewise.profile.SchedulerParameters;
import io.slicewise.run.RunOutcome;
import io.slicewise.run.SweepListener;
import io.slicewise.run.journal.JournalEvent;
import io.slicewise.run.journal.RunState;
import io.slicewise.run.result.TrialResult;
import io.slicewise.ssh.RemoteShellException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * Protects the order of a trial's steps and the promise to restore, on an embedded host reached
 * over real SSH. The host's settings are read from the simulated machine, not through the
 * toolstack.
 */
@KeepsTheMachineBusy
@Execution(ExecutionMode.CONCURRENT)
class LabSweepTest extends SweepsOnLab {
  private static final SchedulerParameters W512 = Credit.of(512, 0);

  @Test
  void runsEveryTrialAndLeavesTheHostAsFound() {
    try (Lab lab = Lab.start(burning())) {
      LabSettings asFound = lab.settings();
      Sweep sweep = sweep(four(lab));
      assertThat(sweep.execute().state()).isEqualTo(RunState.DONE);
      assertThat(lab.settings()).isEqualTo(asFound);
      assertThat(sweep.run().results()).hasSize(4).allMatch(TrialResult::valid);
      assertThat(result(sweep, "w1024").host().applied())
          .containsEntry("Apache_Server", Credit.of(1024, 0))
          .containsEntry("NFS_Server", Credit.of(128, 0));
    }
  }

  @Test
  @Tag("thorough")
  void eachTrialReportsWhatDom0sOwnKernelCounted() {
    try (Lab lab = Lab.start(burning())) {
      Sweep sweep = sweep(two(lab));
      assertThat(sweep.execute().state()).isEqualTo(RunState.DONE);
      for (TrialResult result : sweep.run().results()) {
        assertThat(result.observed(Machines.TOPIC).orElseThrow().remarks()).isEmpty();
        MachineCounters dom0 = result.machines().get("Domain-0");
        assertThat(dom0.tier()).isEqualTo(Tier.DOM0);
        assertThat(dom0.seconds()).isCloseTo(result.window().seconds(), within(0.5));
        // A reading takes time on a busy host: its files are up to a tenth of a second apart.
        assertThat(dom0.allCpuSeconds() / dom0.cpus()).isCloseTo(dom0.seconds(), within(0.1));
        Path raw =
            sweep.run().trialDirectory(result.trial().slug()).resolve("proc/Domain-0.txt.gz");
        assertThat(Recordings.source(raw)).contains(Recordings.Source.PROC);
      }
    }
  }

  @Test
  void aHostThatHidesItsCountersCostsASentenceAndNoTrial() {
    LabFault hidden = LabFault.at(FaultKind.REFUSE_COMMAND, "sh -c 'while read").times(100);
    try (Lab lab = Lab.start(burning().withFaults(hidden))) {
      Sweep sweep = sweep(two(lab));
      assertThat(sweep.execute().state()).isEqualTo(RunState.DONE);
      assertThat(sweep.run().results())
          .hasSize(2)
          .allMatch(TrialResult::valid)
          .allMatch(result -> !result.machines().get("Domain-0").measured())
          .allSatisfy(
              result ->
                  assertThat(result.warnings())
                      .anyMatch(
                          said ->
                              said.startsWith("Domain-0 was not read at the window's beginning")
                                  && said.contains("sh: Permission denied")));
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
          .isEqualTo(Credit.of(256, 50));
      assertThat(seen.get(profiles.indexOf("cap50")).of("NFS_Server")).isEqualTo(Credit.of(256, 0));
      assertThat(seen.get(profiles.indexOf("as-found")).of("Apache_Server"))
          .isEqualTo(Credit.of(256, 0));
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
      assertThat(LabExperiment.resume(sweep.run(), experiment).state()).isEqualTo(RunState.DONE);
      assertThat(lab.settings()).isEqualTo(asFound);
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
      assertThat(outcome.restored()).containsEntry("Apache_Server", Credit.of(256, 0));
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
      assertThat(sweep(two(lab), LocalSweep.atEachNotice(notices::add)).execute().state())
          .isEqualTo(RunState.DONE);
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

  private static TrialResult result(Sweep sweep, String profile) {
    return sweep.run().results().stream()
        .filter(result -> result.trial().profile().equals(profile))
        .findFirst()
        .orElseThrow();
  }
}
