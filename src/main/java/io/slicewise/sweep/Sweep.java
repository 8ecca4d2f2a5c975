package io.slicewise.sweep;

import io.slicewise.experiment.Experiment;
import io.slicewise.experiment.ExperimentFiles;
import io.slicewise.experiment.HostSpec;
import io.slicewise.load.LoadGenerator;
import io.slicewise.units.ExitCode;
import io.slicewise.units.SlicewiseException;
import java.nio.file.Path;
import java.time.Clock;

/**
 * Runs the trials of an experiment that are still to be run, and leaves the host as it was found.
 *
 * <p>A first run and a resumed one are the same thing: read the journal, run what is not finished.
 */
public final class Sweep {
  private final RunDirectory run;
  private final Experiment experiment;
  private final SweepOptions options;
  private final SweepListener listener;
  private final StopRequest stop;
  private final LoadGenerator generator;
  private final Clock clock;

  private Sweep(
      RunDirectory run,
      Experiment experiment,
      SweepOptions options,
      SweepListener listener,
      StopRequest stop,
      LoadGenerator generator,
      Clock clock) {
    this.run = run;
    this.experiment = experiment;
    this.options = options;
    this.listener = listener;
    this.stop = stop;
    this.generator = generator;
    this.clock = clock;
  }

  /** A new run of the experiment, in a new directory below {@code results}. */
  public static Sweep begin(
      Experiment experiment,
      Path results,
      SweepOptions options,
      SweepListener listener,
      StopRequest stop,
      LoadGenerator generator,
      Clock clock) {
    RunDirectory run = RunDirectory.create(results, experiment.name(), clock.instant());
    ExperimentFiles.write(experiment, run.experimentFile());
    return new Sweep(run, experiment, options, listener, stop, generator, clock);
  }

  /**
   * The rest of a run that was begun before. The experiment may name another address of the host.
   */
  public static Sweep goOn(
      RunDirectory run,
      Experiment experiment,
      SweepOptions options,
      SweepListener listener,
      StopRequest stop,
      LoadGenerator generator,
      Clock clock) {
    return new Sweep(run, experiment, options, listener, stop, generator, clock);
  }

  public RunDirectory run() {
    return run;
  }

  /**
   * Runs to an end: done, interrupted, or stopped by what cannot be helped. The host is restored on
   * every way out that still can reach it.
   *
   * @throws SlicewiseException if the run could not start: locks, or no host in the experiment
   * @throws io.slicewise.ssh.RemoteShellException if the host cannot be reached to begin with
   */
  public RunOutcome execute() {
    try (RunLock ours = RunLock.take(run.root());
        HostSession session = HostSession.open(hostOf(experiment));
        HostLock lock = HostLock.take(session.shell(), experiment, run, options);
        Journal journal = Journal.open(run.journalFile())) {
      return new SweepRunner(
              experiment, run, options, listener, stop, generator, clock, session, journal)
          .run();
    }
  }

  static HostSpec hostOf(Experiment experiment) {
    return experiment
        .host()
        .orElseThrow(
            () ->
                new SlicewiseException(
                    ExitCode.USAGE,
                    "experiment " + experiment.name() + " names no host",
                    "add host: {address: ...}, or lab: {} to run on the embedded lab"));
  }
}
