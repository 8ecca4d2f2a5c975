package io.slicewise.sweep;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.slicewise.experiment.Experiment;
import io.slicewise.experiment.file.ExperimentFiles;
import io.slicewise.host.groups.RealGroups;
import io.slicewise.run.SweepListener.Step;
import io.slicewise.run.journal.RunState;
import io.slicewise.run.result.TrialResult;
import io.slicewise.sweep.guard.SweepOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BiConsumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceLock;

/** Sweeps real control groups of this machine, whose processes sleep. */
@ResourceLock("/var/run/slicewise.lock")
@ResourceLock(RealGroups.LOCK)
@Tag("lab")
class RealGroupsSweepTest {
  private static final String WEB = "slicewise-swept";

  private static final String EXPERIMENT =
      """
      name: groups
      host: {local: true, hypervisor: groups}
      domains: {main: [slicewise-swept], other: [slicewise-beside]}
      workload: observe
      order: as-written
      repetitions: 1
      ramp: 0s
      warm-up: 0s
      measure: 1s
      cool-down: 0s
      profiles:
        - {name: pinned, scheduler: fair, main: {cap: 25%, cpus: "0"}}
        - {name: light, scheduler: fair, main: {shares: 300}, other: {idle: true}}
      """;

  @TempDir private Path directory;
  private RealGroups groups;

  @BeforeEach
  void start() {
    assumeTrue(Files.isWritable(Path.of("/var/run")), "the lock on a host lies in /var/run");
    groups = RealGroups.with(WEB, "slicewise-beside");
  }

  @AfterEach
  void end() {
    if (groups != null) {
      groups.close();
    }
  }

  private Sweep sweep(BiConsumer<String, Step> action) throws IOException {
    Experiment experiment =
        ExperimentFiles.read(Files.writeString(directory.resolve("experiment.yaml"), EXPERIMENT));
    return LocalSweep.of(experiment)
        .with(new SweepOptions(true, Duration.ofSeconds(5)))
        .with(LocalSweep.atEachStep((trial, step) -> action.accept(trial.profile(), step)))
        .begin(directory.resolve("results"));
  }

  /** A profile never differs because of the one before: what it leaves as found is as found. */
  @Test
  void setsEachProfileAndLeavesTheGroupsAsFound() throws IOException {
    String found = groups.settings(WEB);
    Map<String, String> measured = new TreeMap<>();
    Sweep sweep =
        sweep(
            (profile, step) -> {
              if (step == Step.MEASURE) {
                measured.put(profile, groups.settings(WEB));
              }
            });
    assertThat(sweep.execute().state()).as("%s", sweep.run().events()).isEqualTo(RunState.DONE);
    assertThat(sweep.run().results()).hasSize(2).allMatch(TrialResult::valid);
    if (!groups.second()) {
      String cpus = found.substring(found.lastIndexOf(' ') + 1);
      assertThat(measured)
          .containsEntry("pinned", "1024 25000 100000 0 0 0")
          .containsEntry("light", "300 -1 100000 0 0 " + cpus);
    }
    assertThat(groups.settings(WEB)).isEqualTo(found);
  }

  @Test
  void stopsAtTheValueOfSomeoneElseAndLeavesIt() throws IOException {
    AtomicBoolean done = new AtomicBoolean();
    Sweep sweep =
        sweep(
            (profile, step) -> {
              if (step == Step.COLLECT && done.compareAndSet(false, true)) {
                groups.write(WEB, groups.second() ? "cpu.weight" : "cpu.shares", "444");
              }
            });
    assertThat(sweep.execute().state()).isEqualTo(RunState.CHANGED_BY_OTHERS);
    assertThat(groups.settings(WEB)).startsWith("444 ");
    // The undo of what else was set does not make it a value of this run.
    Experiment same = ExperimentFiles.read(sweep.run().experimentFile());
    assertThat(LocalSweep.of(same).resume(sweep.run()).execute().state())
        .isEqualTo(RunState.CHANGED_BY_OTHERS);
    assertThat(groups.settings(WEB)).startsWith("444 ");
  }

  @Test
  void excludesATrialWhoseGroupWasMadeAnew() throws IOException {
    List<String> steps = new ArrayList<>();
    Sweep sweep =
        sweep(
            (profile, step) -> {
              if (step == Step.COLLECT && profile.equals("light") && steps.isEmpty()) {
                steps.add("made anew");
                groups.remove(WEB);
                groups.make(WEB);
              }
            });
    sweep.execute();
    assertThat(sweep.run().results().stream().filter(one -> !one.valid()))
        .anySatisfy(
            one -> assertThat(one.findings().toString()).containsAnyOf("replaced", "not running"));
    if (!groups.second()) {
      assertThat(groups.settings(WEB)).startsWith("1024 -1 100000 0 0 ");
    }
  }

  @Test
  void excludesATrialWhoseGroupVanishedAndLeavesTheOther() throws IOException {
    String beside = groups.settings("slicewise-beside");
    List<String> steps = new ArrayList<>();
    Sweep sweep =
        sweep(
            (profile, step) -> {
              if (step == Step.COLLECT && profile.equals("light") && steps.isEmpty()) {
                steps.add("vanished");
                groups.remove(WEB);
              }
            });
    sweep.execute();
    assertThat(sweep.run().results().stream().filter(one -> !one.valid()))
        .anySatisfy(
            one ->
                assertThat(one.findings().toString())
                    .contains(WEB + ": not running after the load"));
    assertThat(groups.settings("slicewise-beside")).isEqualTo(beside);
  }
}
