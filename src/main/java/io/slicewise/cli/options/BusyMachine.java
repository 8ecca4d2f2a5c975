package io.slicewise.cli.options;

import io.slicewise.experiment.Experiment;
import io.slicewise.sweep.guard.SweepOptions;
import java.time.Duration;
import picocli.CommandLine.Option;

/** What a run does about other programs on this machine. */
public final class BusyMachine {
  private static final Duration PATIENCE = Duration.ofMinutes(10);

  @Option(
      names = "--anyway",
      description =
          "Run on a busy machine: neither wait for other programs (10 minutes at most) nor exclude"
              + " windows because of them. A run that is resumed keeps its own limits.")
  private boolean anyway;

  /** Returns options that wait for a quiet machine, unless asked not to. */
  public SweepOptions patient(SweepOptions options) {
    return patient(options, PATIENCE);
  }

  /** Returns options that wait for a quiet machine no longer than that, unless asked not to. */
  public SweepOptions patient(SweepOptions options, Duration most) {
    return options.waitingForQuiet(anyway ? Duration.ZERO : most);
  }

  /** Returns the experiment, or one that takes other work for granted. */
  public Experiment judged(Experiment experiment) {
    return anyway ? experiment.withLimits(experiment.limits().withOtherWork()) : experiment;
  }
}
