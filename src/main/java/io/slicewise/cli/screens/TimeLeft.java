package io.slicewise.cli.screens;

import io.slicewise.experiment.Experiment;
import io.slicewise.experiment.Plan;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;

/** Estimates the remaining time, first from the planned windows, later from finished trials. */
final class TimeLeft {
  private final Clock clock;
  private final Instant began;
  private final Duration planned;
  private final Duration coolDown;
  private Instant started;
  private Duration spent = Duration.ZERO;
  private int trials;
  private boolean underWay;

  TimeLeft(Clock clock, Experiment experiment) {
    this.clock = clock;
    this.began = clock.instant();
    this.started = began;
    this.planned = Plan.trialTime(experiment);
    this.coolDown = experiment.design().isPresent() ? Duration.ZERO : experiment.coolDown();
  }

  void trialStarted() {
    started = clock.instant();
    underWay = true;
  }

  void trialEnded() {
    spent = spent.plus(Duration.between(started, clock.instant()));
    trials++;
    underWay = false;
  }

  /** Returns the time since this process took over the run. */
  Duration elapsed() {
    return Duration.between(began, clock.instant());
  }

  /** Returns the time for this many trials, including the current one. */
  Duration left(int remaining) {
    Duration each = trials == 0 ? planned : spent.dividedBy(trials).plus(coolDown);
    Duration done = underWay ? Duration.between(started, clock.instant()) : Duration.ZERO;
    Duration left = each.multipliedBy(remaining).minus(done.compareTo(each) < 0 ? done : each);
    return left.isNegative() ? Duration.ZERO : left;
  }
}
