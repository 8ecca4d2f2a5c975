package io.slicewise.sweep;

import static io.slicewise.sweep.LocalSweep.atEachStep;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.slicewise.KeepsTheMachineBusy;
import io.slicewise.base.units.SlicewiseException;
import io.slicewise.cli.screens.NextStep;
import io.slicewise.experiment.Experiment;
import io.slicewise.lab.Lab;
import io.slicewise.lab.LabGuest;
import io.slicewise.lab.LabOptions;
import io.slicewise.lab.LabSettings;
import io.slicewise.lab.fault.LabFault;
import io.slicewise.lab.fault.LabFault.FaultKind;
import io.slicewise.lab.libvirt.GroupVersion;
import io.slicewise.run.RunDirectory;
import io.slicewise.run.RunOutcome;
import io.slicewise.run.SweepListener;
import io.slicewise.run.SweepListener.Step;
import io.slicewise.run.journal.RunState;
import io.slicewise.ssh.Command;
import io.slicewise.sweep.guard.SweepOptions;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * Protects what belongs to others on a host with libvirt: a run restores what it changed, nothing
 * else, and never overwrites the value of someone else without a word.
 */
@KeepsTheMachineBusy
@Execution(ExecutionMode.CONCURRENT)
@Tag("thorough")
class LeftAsFoundTest extends SweepsOnLibvirt {
  private static final String PINNED =
      "  - {name: pinned, scheduler: cfs, main: {shares: 4000, pinning: \"1\"}}\n";

  private final List<String> notices = new ArrayList<>();
  private final List<CompletableFuture<Void>> meddling = new ArrayList<>();

  /** Two pCPUs; the first guest has one of its two vCPUs. */
  private static LabOptions spare() {
    return LabOptions.sshOnly()
        .withLibvirt(GroupVersion.V1)
        .withCpus(2, 2)
        .withGuests(new LabGuest(WEB, 1, 512, false, false, 2, 0), LabGuest.of(DB, 1));
  }

  private static void at(Experiment experiment, String line) {
    atTheHost(experiment, "sh", "-c", line);
  }

  /** Acts once at a step of the first trial of a profile, and keeps the notices. */
  private SweepListener once(String profile, Step at, Runnable action) {
    AtomicBoolean done = new AtomicBoolean();
    SweepListener steps =
        atEachStep(
            (trial, step) -> {
              if (trial.profile().equals(profile)
                  && step == at
                  && done.compareAndSet(false, true)) {
                action.run();
              }
            });
    return new SweepListener() {
      @Override
      public void step(io.slicewise.experiment.Trial trial, Step step, Duration expected) {
        steps.step(trial, step, expected);
      }

      @Override
      public void notice(String sentence) {
        notices.add(sentence);
      }
    };
  }

  @Test
  void restoresAGuestWithFewerVcpusThanItCouldHave() {
    try (Lab lab = Lab.start(spare())) {
      Experiment experiment = experiment(lab, HEAVY + PINNED);
      at(experiment, "virsh vcpupin 'web 1' 0 1");
      LabSettings found = lab.settings();
      Sweep sweep = sweep(experiment);
      assertThat(sweep.execute().state()).as("%s", sweep.run().events()).isEqualTo(RunState.DONE);
      assertThat(valid(sweep)).hasSize(3);
      assertThat(lab.settings()).isEqualTo(found);
    }
  }

  @Test
  void restoresOnlyWhatItChanged() {
    try (Lab lab = Lab.start(spare())) {
      Experiment experiment = experiment(lab, HEAVY);
      Sweep sweep =
          sweep(
              experiment,
              once(
                  "heavy",
                  Step.COLLECT,
                  () -> {
                    at(experiment, "virsh vcpupin 'web 1' 0 0");
                    at(experiment, "virsh schedinfo 'web 1' --live emulator_quota=30000");
                    stop.ask();
                  }));
      assertThat(sweep.execute().state()).isEqualTo(RunState.INTERRUPTED);
      LabSettings now = lab.settings();
      assertThat(now.files().get(WEB)).startsWith("1024 ");
      assertThat(now.files().get(WEB + "/emulator")).endsWith(" 30000 100000");
      assertThat(now.files()).containsEntry(WEB + " pin 0", "0");
      assertThat(sweep.run().record().touched()).isEmpty();
    }
  }

  @Test
  void neverRestoresOverTheValueOfSomeoneElseUnlessForced() {
    try (Lab lab = Lab.start(spare())) {
      Experiment experiment = experiment(lab, HEAVY);
      LabSettings found = lab.settings();
      Sweep sweep =
          sweep(
              experiment,
              once(
                  "heavy",
                  Step.COLLECT,
                  () -> {
                    at(experiment, "virsh schedinfo 'web 1' --live cpu_shares=777");
                    stop.ask();
                  }));
      RunOutcome outcome = sweep.execute();
      assertThat(outcome.state()).isEqualTo(RunState.INTERRUPTED);
      assertThat(notices)
          .contains(
              "left: web 1 has shares 777 pinning 0-1 emulator-pinning 0-1 online-vcpus 1, set by someone else:"
                  + " found was shares 1024"
                  + " pinning 0-1 emulator-pinning 0-1 online-vcpus 1, and this run set shares 4000; it is left, and what else this run set there is restored");
      assertThat(lab.settings().files().get(WEB)).startsWith("777 ");
      assertThat(restore(sweep.run(), experiment, false).restored()).isEmpty();
      assertThat(lab.settings().files().get(WEB)).startsWith("777 ");
      assertThat(restore(sweep.run(), experiment, true).restored()).containsOnlyKeys(WEB);
      assertThat(lab.settings()).isEqualTo(found);
    }
  }

  private static HostRestore.Receipt restore(
      RunDirectory run, Experiment experiment, boolean force) {
    SweepOptions options =
        new SweepOptions(false, Duration.ZERO, false, false, force, Duration.ZERO);
    return HostRestore.restore(run, experiment, options, Clock.systemUTC());
  }

  @Test
  void stopsBeforeItOverwritesAValueSetSinceTheSettingsWereFound() {
    try (Lab lab = Lab.start(spare())) {
      Experiment experiment = experiment(lab, HEAVY);
      AtomicBoolean done = new AtomicBoolean();
      Sweep sweep =
          sweep(
              experiment,
              atEachStep(
                  (trial, step) -> {
                    if (step == Step.APPLY && done.compareAndSet(false, true)) {
                      at(experiment, "virsh schedinfo 'web 1' --live cpu_shares=777");
                    }
                  }));
      RunOutcome outcome = sweep.execute();
      assertThat(outcome.state()).isEqualTo(RunState.CHANGED_BY_OTHERS);
      assertThat(sweep.run().results()).isEmpty();
      assertThat(lab.settings().files().get(WEB)).startsWith("777 ");
      assertThat(LabExperiment.resume(sweep.run(), experiment).state())
          .isEqualTo(RunState.CHANGED_BY_OTHERS);
      assertThat(lab.settings().files().get(WEB)).startsWith("777 ");
      at(experiment, "virsh schedinfo 'web 1' --live cpu_shares=1024");
      assertThat(LabExperiment.resume(sweep.run(), experiment).state()).isEqualTo(RunState.DONE);
    }
  }

  /** The second one has run again since, so only the reason of its state shows the pause. */
  @Test
  void aGuestSuspendedInAWindowExcludesTheTrial() {
    try (Lab lab = Lab.start(spare())) {
      Experiment experiment = experiment(lab, HEAVY);
      Sweep sweep =
          sweep(
              experiment,
              once(
                  "heavy",
                  Step.MEASURE,
                  () -> at(experiment, "virsh suspend 'web 1'; virsh resume 'web 1'")));
      assertThat(sweep.execute().state()).isEqualTo(RunState.DONE);
      assertThat(sweep.run().results())
          .filteredOn(result -> !result.valid())
          .singleElement()
          .satisfies(
              result ->
                  assertThat(result.reasons())
                      .contains("web 1: state changed from running to running after a pause"));
      assertThat(valid(sweep)).hasSize(2);
    }
  }

  /** It was suspended before, so the reason of its state is the same before and after. */
  @Test
  void aSecondPauseWithinAWindowExcludesTheTrialToo() {
    try (Lab lab = Lab.start(spare())) {
      Experiment experiment = experiment(lab, HEAVY);
      at(experiment, "virsh suspend 'web 1'; virsh resume 'web 1'");
      Sweep sweep =
          sweep(
              experiment,
              once(
                  "heavy",
                  Step.MEASURE,
                  () -> later(experiment, "virsh suspend 'web 1'; virsh resume 'web 1'")));
      assertThat(sweep.execute().state()).isEqualTo(RunState.DONE);
      assertThat(excluded(sweep))
          .contains(
              "web 1: changed in the window, as libvirt reported: Suspended Paused, Resumed"
                  + " Unpaused");
      assertThat(valid(sweep)).hasSize(2);
    }
  }

  /** No reading before or after the window shows it. */
  @Test
  void aValueChangedAndChangedBackWithinAWindowExcludesTheTrial() {
    try (Lab lab = Lab.start(spare())) {
      Experiment experiment = experiment(lab, HEAVY);
      Sweep sweep =
          sweep(
              experiment,
              once(
                  "heavy",
                  Step.MEASURE,
                  () ->
                      later(
                          experiment,
                          "virsh schedinfo 'web 1' --live cpu_shares=777;"
                              + " virsh vcpupin 'web 1' 0 0; virsh vcpupin 'web 1' 0 0-1;"
                              + " virsh schedinfo 'web 1' --live cpu_shares=4000")));
      assertThat(sweep.execute().state()).isEqualTo(RunState.DONE);
      assertThat(excluded(sweep))
          .contains(
              "web 1: changed in the window, as libvirt reported: cputune.cpu_shares: 777,"
                  + " cputune.vcpupin0: 0, cputune.vcpupin0: 0-1, cputune.cpu_shares: 4000");
      assertThat(valid(sweep)).hasSize(2);
    }
  }

  private List<String> excluded(Sweep sweep) {
    meddling.forEach(CompletableFuture::join);
    return sweep.run().results().stream()
        .filter(result -> !result.valid())
        .flatMap(result -> result.reasons().stream())
        .toList();
  }

  /** Acts in the middle of the window that begins now. */
  private void later(Experiment experiment, String line) {
    meddling.add(
        CompletableFuture.runAsync(
            () -> at(experiment, line), CompletableFuture.delayedExecutor(1, TimeUnit.SECONDS)));
  }

  /** The next run would take the shares that are left for those found. */
  @Test
  void aHostThatIsNotRestoredRefusesEveryOtherRun() {
    String uuid = UUID.nameUUIDFromBytes(WEB.getBytes(StandardCharsets.UTF_8)).toString();
    Command restore =
        Command.changing(
            ("env LC_ALL=C virsh -c qemu:///system schedinfo --live --domain "
                    + uuid
                    + " cpu_shares=1024")
                .split(" "));
    LabFault refused = LabFault.at(FaultKind.REFUSE_COMMAND, restore.quoted()).times(100);
    try (Lab lab = Lab.start(spare().withFaults(refused))) {
      Experiment experiment = experiment(lab, HEAVY);
      Sweep left = sweep(experiment, once("heavy", Step.COLLECT, stop::ask));
      assertThat(left.execute().state()).isEqualTo(RunState.NOT_RESTORED);
      assertThat(notices).filteredOn(one -> one.startsWith("not restored yet")).hasSize(1);
      assertThatThrownBy(() -> sweep(experiment).execute())
          .isInstanceOfSatisfying(
              SlicewiseException.class,
              fault -> assertThat(fault.hint()).contains("slicewise restore", "--take-lock"))
          .hasMessageContaining("is held by " + left.run().name());
      assertThat(NextStep.after(RunState.NOT_RESTORED, left.run()))
          .isEqualTo(
              "remove the cause, or set web 1 to shares 1024 pinning 0-1 emulator-pinning 0-1 online-vcpus 1 by hand; then slicewise"
                  + " restore "
                  + left.run().root()
                  + " verifies it");
      at(experiment, "virsh schedinfo 'web 1' --live cpu_shares=1024");
      assertThat(restore(left.run(), experiment, false).restored()).containsOnlyKeys(WEB);
      assertThat(sweep(experiment, once("heavy", Step.APPLY, stop::ask)).execute().state())
          .isEqualTo(RunState.INTERRUPTED);
    }
  }
}
