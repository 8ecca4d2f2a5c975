package io.slicewise.cli.simulate;

import io.slicewise.base.units.Phrase;
import io.slicewise.cli.screens.TerminalWriter;
import io.slicewise.experiment.Experiment;
import io.slicewise.experiment.Plan;
import io.slicewise.lab.simulate.Calibration;
import io.slicewise.report.table.Spans;
import io.slicewise.run.StopRequest;
import io.slicewise.run.result.TrialResult;
import java.io.PrintWriter;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/** The progress of a simulation on standard error. */
public final class SimulationScreen {
  private static final String CLEAR_LINE = "\r\033[K";

  private final TerminalWriter err;
  private final boolean quiet;
  private final boolean live;
  private final Clock clock;
  private Duration trialTime = Duration.ZERO;
  private Instant began = Instant.EPOCH;
  private int trials;
  private int finished;

  public SimulationScreen(PrintWriter err, boolean quiet, boolean live, Clock clock) {
    this.err = TerminalWriter.of(err);
    this.quiet = quiet;
    this.live = live && !quiet;
    this.clock = clock;
  }

  public void begin(Experiment experiment, Optional<Calibration> calibration, int planned) {
    trials = experiment.order() == Experiment.Order.EDGE ? 0 : planned;
    trialTime = Plan.trialTime(experiment).minus(experiment.coolDown());
    began = clock.instant();
    calibration.ifPresent(derived -> line(derived.sentence()));
    experiment
        .stop()
        .ifPresent(stop -> line("'stop' is ignored: every cell gets exactly its repetitions"));
    line(
        experiment.order() == Experiment.Order.EDGE
            ? "simulating trials of %s until the edge is found".formatted(Spans.text(trialTime))
            : "simulating " + trials + " trials of " + Spans.text(trialTime));
  }

  public synchronized void finished(TrialResult result) {
    finished++;
    if (live) {
      err.control(CLEAR_LINE);
      err.print("simulated  " + finished + (trials == 0 ? "" : " of " + trials) + " trials");
      err.flush();
    }
  }

  public synchronized void stopping(StopRequest.Wish wish) {
    line("stopping; the trials simulated so far are kept");
  }

  public void end() {
    if (live) {
      err.control(CLEAR_LINE);
    }
    double minutes = trialTime.multipliedBy(finished).toNanos() / 6e10;
    double seconds = Duration.between(began, clock.instant()).toNanos() / 1e9;
    line(
        Phrase.of(
            "simulated %s in %.1f s",
            minutes < 120
                ? Phrase.of("%.1f minutes", minutes)
                : Phrase.of("%.1f hours", minutes / 60),
            seconds));
  }

  private void line(String text) {
    if (!quiet) {
      err.println(text);
    }
  }
}
