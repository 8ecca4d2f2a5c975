package io.slicewise.sweep;

import io.slicewise.experiment.Experiment;
import io.slicewise.experiment.Trial;
import io.slicewise.lab.Lab;
import io.slicewise.lab.LabGuest;
import io.slicewise.lab.LabOptions;
import io.slicewise.profile.Scheduler;
import io.slicewise.run.StopRequest;
import io.slicewise.run.SweepListener;
import io.slicewise.run.SweepListener.Step;
import io.slicewise.ssh.Command;
import io.slicewise.ssh.RemoteShell;
import io.slicewise.sweep.guard.HostShells;
import io.slicewise.sweep.guard.SweepOptions;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.function.Consumer;
import org.junit.jupiter.api.io.TempDir;

/** Sweeps of small experiments on an embedded host, reached over real SSH by its address. */
abstract class SweepsOnLab {
  @TempDir Path directory;

  final StopRequest stop = new StopRequest(Clock.systemUTC());

  /** Without xenmon, which must start seconds before a window: xentrace needs half a second. */
  static LabOptions burning() {
    return LabOptions.sshOnly()
        .withXenmon(false)
        .withScheduler(Scheduler.CREDIT)
        .withGuests(LabGuest.burning("Apache_Server", 1), LabGuest.burning("NFS_Server", 1));
  }

  /** Told when the measured window of a trial begins. */
  static SweepListener measuring(Consumer<Trial> action) {
    return LocalSweep.atEachStep(
        (trial, step) -> {
          if (step == Step.MEASURE) {
            action.accept(trial);
          }
        });
  }

  final Sweep sweep(Experiment experiment) {
    return sweep(experiment, new SweepListener() {});
  }

  final Sweep sweep(Experiment experiment, SweepListener listener) {
    return sweep(experiment, listener, SweepOptions.DEFAULT.hostPatience());
  }

  final Sweep sweep(Experiment experiment, SweepListener listener, Duration patience) {
    return LocalSweep.of(experiment)
        .with(new SweepOptions(false, patience))
        .with(listener)
        .with(stop)
        .begin(directory.resolve("results"));
  }

  static void atTheHost(Experiment experiment, String... words) {
    try (RemoteShell other = HostShells.open(experiment.host().orElseThrow())) {
      other.run(Command.changing(words));
    }
  }

  final Experiment two(Lab lab) {
    return LabExperiment.read(LabExperiment.two(lab, directory));
  }

  final Experiment four(Lab lab) {
    return LabExperiment.read(LabExperiment.four(lab, directory));
  }
}
