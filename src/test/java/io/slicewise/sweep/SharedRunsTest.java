package io.slicewise.sweep;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.slicewise.KeepsTheMachineBusy;
import io.slicewise.base.units.ErrorKind;
import io.slicewise.base.units.SlicewiseException;
import io.slicewise.experiment.Experiment;
import io.slicewise.experiment.Trial;
import io.slicewise.lab.Lab;
import io.slicewise.lab.LabSettings;
import io.slicewise.profile.Credit;
import io.slicewise.profile.SchedulerParameters;
import io.slicewise.run.RunDirectory;
import io.slicewise.run.SweepListener;
import io.slicewise.run.journal.RunState;
import io.slicewise.run.result.TrialResult;
import io.slicewise.ssh.Command;
import io.slicewise.ssh.RemoteShell;
import io.slicewise.sweep.guard.HostShells;
import io.slicewise.sweep.guard.SweepOptions;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.apache.commons.io.file.PathUtils;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * Protects a host on which more than one run, or a copy of a run directory, could act: one of them
 * holds it, and the others change nothing.
 */
@KeepsTheMachineBusy
@Execution(ExecutionMode.CONCURRENT)
class SharedRunsTest {
  private static final SchedulerParameters W512 = Credit.of(512, 0);

  @TempDir Path directory;

  private Experiment two(Lab lab) {
    return LabExperiment.read(LabExperiment.two(lab, directory));
  }

  private Sweep sweep(Experiment experiment, String results, SweepListener listener) {
    return LocalSweep.of(experiment).with(listener).begin(directory.resolve(results));
  }

  /** Called while the settings of profile w512 are on the host. */
  private static SweepListener whileChanged(Consumer<Trial> action) {
    return LocalSweep.atEachStep(
        (trial, step) -> {
          if (step == SweepListener.Step.MEASURE && trial.profile().equals("w512")) {
            action.accept(trial);
          }
        });
  }

  private static void assertLocked(ThrowingCallable refused) {
    assertThatThrownBy(refused)
        .isInstanceOfSatisfying(
            SlicewiseException.class,
            fault -> assertThat(fault.errorKind()).isEqualTo(ErrorKind.LOCKED));
  }

  @Test
  void twoRunsOfTheSameNameAndSecondDoNotShareAHost() {
    try (Lab lab = Lab.start(SweepsOnLab.burning())) {
      LabSettings asFound = lab.settings();
      Experiment experiment = two(lab);
      List<Sweep> second = new ArrayList<>();
      List<LabSettings> seen = new ArrayList<>();
      Sweep first =
          sweep(
              experiment,
              "first",
              whileChanged(
                  trial -> {
                    assertLocked(second.get(0)::execute);
                    seen.add(lab.settings());
                  }));
      second.add(twin(first, experiment));
      assertThat(first.execute().state()).isEqualTo(RunState.DONE);
      assertThat(seen).isNotEmpty().allMatch(one -> one.of("Apache_Server").equals(W512));
      assertThat(lab.settings()).isEqualTo(asFound);
      // A window that the refusal of the second made too long is repeated.
      assertThat(first.run().results()).filteredOn(TrialResult::valid).hasSize(2);
    }
  }

  /** Another run whose directory has the same name, as a timer makes them in the same second. */
  private Sweep twin(Sweep first, Experiment experiment) {
    RunDirectory made =
        RunDirectory.begin(
            directory.resolve("second"),
            experiment.name(),
            experiment,
            first.run().began().orElseGet(() -> first.run().events().get(0).at()));
    assertThat(made.name()).isEqualTo(first.run().name());
    return LocalSweep.of(experiment).resume(made);
  }

  private RunDirectory copy(RunDirectory run, String name) {
    try {
      Path target = directory.resolve(name);
      PathUtils.copyDirectory(run.root(), target);
      return RunDirectory.open(target);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static HostRestore.Receipt restore(
      RunDirectory run, Experiment experiment, boolean adopt) {
    return HostRestore.restore(
        run,
        experiment,
        new SweepOptions(true, Duration.ZERO, adopt, false, false, Duration.ZERO),
        Clock.systemUTC());
  }

  @Test
  void aCopyOfALiveRunTouchesNothingNotEvenWhenItIsAdopted() {
    try (Lab lab = Lab.start(SweepsOnLab.burning())) {
      LabSettings asFound = lab.settings();
      Experiment experiment = two(lab);
      List<Sweep> live = new ArrayList<>();
      List<LabSettings> seen = new ArrayList<>();
      Sweep sweep =
          sweep(
              experiment,
              "results",
              whileChanged(
                  trial -> {
                    RunDirectory copy = copy(live.get(0).run(), "copy");
                    assertLocked(() -> restore(copy, experiment, false));
                    assertLocked(() -> restore(copy, experiment, true));
                    seen.add(lab.settings());
                  }));
      live.add(sweep);
      assertThat(sweep.execute().state()).isEqualTo(RunState.DONE);
      assertThat(seen).hasSize(1).allMatch(one -> one.of("Apache_Server").equals(W512));
      assertThat(lab.settings()).isEqualTo(asFound);
    }
  }

  @Test
  void aCopyIsAdoptedOnlyOnceTheOriginalIsGoneAndAMovedRunStaysOne() throws IOException {
    try (Lab lab = Lab.start(SweepsOnLab.burning())) {
      Experiment experiment = two(lab);
      Sweep sweep = sweep(experiment, "results", new SweepListener() {});
      sweep.execute();
      RunDirectory copy = copy(sweep.run(), "copy");
      assertLocked(() -> restore(copy, experiment, false));
      assertLocked(() -> LabExperiment.resume(copy, experiment));
      assertLocked(() -> restore(copy, experiment, true));
      Path moved = Files.move(sweep.run().root(), directory.resolve("moved"));
      assertThat(restore(RunDirectory.open(moved), experiment, false).complaints()).isEmpty();
      assertLocked(() -> restore(copy, experiment, false));
      assertThat(restore(copy, experiment, true).complaints()).isEmpty();
      assertThat(restore(copy, experiment, false).complaints()).isEmpty();
    }
  }

  @Test
  void restoreRemovesTheRunsOwnTemporaryDirectoriesAndNoOther() {
    try (Lab lab = Lab.start(SweepsOnLab.burning())) {
      Experiment experiment = two(lab);
      Sweep sweep = sweep(experiment, "results", new SweepListener() {});
      sweep.execute();
      String own = "slicewise-%s-Abcdefghij".formatted(sweep.run().place().orElseThrow().run());
      String other = "slicewise-%s-Abcdefghij".formatted("0".repeat(16));
      try (RemoteShell shell = HostShells.open(experiment.host().orElseThrow())) {
        shell.run(Command.changing("mkdir", "-p", "/tmp/" + own, "/tmp/" + other));
        assertThat(restore(sweep.run(), experiment, false).notices())
            .containsExactly("removed /tmp/" + own + ", left by a killed process of this run");
        assertThat(shell.run(Command.reading("ls", "-1", "/tmp")).standardOutput())
            .contains(other)
            .doesNotContain(own);
      }
    }
  }
}
