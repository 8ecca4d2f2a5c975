package io.slicewise.sweep;

import static io.slicewise.sweep.LocalSweep.atEachStep;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.slicewise.KeepsTheMachineBusy;
import io.slicewise.experiment.Experiment;
import io.slicewise.experiment.Trial;
import io.slicewise.host.HypervisorException;
import io.slicewise.lab.Lab;
import io.slicewise.lab.LabSettings;
import io.slicewise.run.SweepListener;
import io.slicewise.run.journal.JournalEvent;
import io.slicewise.run.journal.RunState;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Protects sweeps of a host with libvirt whose daemon, guests or rights fail in the middle. Each on
 * a lab of its own, at once: they mostly wait.
 */
@KeepsTheMachineBusy
@Execution(ExecutionMode.CONCURRENT)
class LibvirtFaultsTest extends SweepsOnLibvirt {
  /** Acts once, when the trial of the profile {@code heavy} comes to a step. */
  private static SweepListener once(SweepListener.Step at, Runnable action) {
    AtomicBoolean done = new AtomicBoolean();
    return atEachStep(
        (trial, step) -> {
          if (trial.profile().equals("heavy") && step == at && done.compareAndSet(false, true)) {
            action.run();
          }
        });
  }

  private static void atTheHost(Experiment experiment, String line) {
    atTheHost(experiment, "sh", "-c", line);
  }

  /**
   * The daemon stops before a command and is started again once the sweep has missed it. Guests and
   * their settings go on without it.
   */
  @ParameterizedTest
  @EnumSource(
      value = SweepListener.Step.class,
      names = {"SET_UP", "MEASURE"})
  void survivesADaemonThatRestarts(SweepListener.Step at) {
    try (Lab lab = Lab.start(idle())) {
      LabSettings found = lab.settings();
      Experiment experiment = experiment(lab, HEAVY);
      SweepListener stops = once(at, () -> atTheHost(experiment, "kill $(cat /run/libvirtd.pid)"));
      List<String> notices = new ArrayList<>();
      Sweep sweep =
          sweep(
              experiment,
              new SweepListener() {
                @Override
                public void step(Trial trial, Step step, Duration expected) {
                  stops.step(trial, step, expected);
                }

                @Override
                public void notice(String sentence) {
                  notices.add(sentence);
                  if (sentence.startsWith("lost the host")) {
                    atTheHost(experiment, "libvirtd");
                  }
                }
              });
      assertThat(sweep.execute().state()).as("%s", notices).isEqualTo(RunState.DONE);
      assertThat(notices)
          .anySatisfy(
              notice ->
                  assertThat(notice)
                      .startsWith("lost the host: libvirt's daemon on ")
                      .contains("does not answer: failed to connect to the hypervisor"))
          .contains("the host answers again");
      assertThat(valid(sweep)).hasSize(2);
      assertThat(lab.settings()).isEqualTo(found);
    }
  }

  /** It has lost its settings: that trial does not count, and the next attempt sets them anew. */
  @Test
  void repeatsATrialInWhichAGuestRestarted() {
    try (Lab lab = Lab.start(idle())) {
      LabSettings found = lab.settings();
      Experiment experiment = experiment(lab, HEAVY);
      List<Map<String, String>> seen = new ArrayList<>();
      SweepListener restarts =
          once(
              SweepListener.Step.MEASURE,
              () -> {
                atTheHost(experiment, "virsh destroy 'web 1' && virsh start 'web 1'");
              });
      Sweep sweep =
          sweep(
              experiment,
              atEachStep(
                  (trial, step) -> {
                    if (trial.profile().equals("heavy") && step == SweepListener.Step.MEASURE) {
                      seen.add(lab.settings().files());
                    }
                    restarts.step(trial, step, Duration.ZERO);
                  }));
      assertThat(sweep.execute().state()).isEqualTo(RunState.DONE);
      assertThat(sweep.run().results())
          .filteredOn(result -> !result.valid())
          .singleElement()
          .satisfies(
              result -> assertThat(result.reasons().toString()).contains("web 1", "restarted"));
      assertThat(valid(sweep)).hasSize(2);
      assertThat(seen)
          .hasSize(2)
          .allSatisfy(files -> assertThat(files.get(WEB)).startsWith("4000 "));
      assertThat(lab.settings()).isEqualTo(found);
    }
  }

  /** Nothing of it is left to restore, and the others are restored. */
  @ParameterizedTest
  @EnumSource(Ending.class)
  void restoresTheOthersWhenAGuestIsGone(Ending ending) {
    try (Lab lab = Lab.start(idle())) {
      Experiment experiment = experiment(lab, HEAVY.replace("}}", "}, other: {shares: 3000}}"));
      if (ending == Ending.TRANSIENT) {
        atTheHost(experiment, "virsh undefine 'web 1'");
      }
      Sweep sweep =
          sweep(
              experiment,
              once(
                  SweepListener.Step.MEASURE,
                  () -> atTheHost(experiment, "virsh destroy 'web 1'")));
      assertThat(sweep.execute().state()).isEqualTo(RunState.TRIALS_FAILED);
      assertThat(sweep.run().results())
          .filteredOn(result -> !result.valid())
          .isNotEmpty()
          .allSatisfy(result -> assertThat(result.reasons().toString()).contains("web 1"));
      assertThat(sweep.run().events())
          .filteredOn(JournalEvent.GuestsGone.class::isInstance)
          .extracting(event -> ((JournalEvent.GuestsGone) event).guests().keySet().toString())
          .contains("[web 1]");
      assertThat(lab.settings().files()).doesNotContainKey(WEB);
      assertThat(lab.settings().files().get(DB)).startsWith("1024 ");
    }
  }

  /** Its libvirt is qemu:///session, an empty list, so the one of the host is asked for. */
  @ParameterizedTest
  @ValueSource(strings = {"labnone", "labuser"})
  void needsAUserWhoMayChangeGuests(String user) {
    try (Lab lab = Lab.start(idle())) {
      LabSettings found = lab.settings();
      Sweep sweep = sweep(LabExperiment.read(file(lab, HEAVY, user)));
      if (user.equals("labuser")) {
        assertThat(sweep.execute().state()).isEqualTo(RunState.DONE);
        assertThat(valid(sweep)).hasSize(2);
      } else {
        assertThatThrownBy(sweep::execute)
            .isInstanceOfSatisfying(
                HypervisorException.class,
                refused ->
                    assertThat(refused.hint())
                        .contains("Log in as root or as a member of the group libvirt"))
            .hasMessageContaining("Permission denied");
        assertThat(directory.resolve("results")).isEmptyDirectory();
      }
      assertThat(lab.settings()).isEqualTo(found);
    }
  }

  private enum Ending {
    DESTROYED,
    TRANSIENT
  }
}
