package io.slicewise.cli.screens;

import io.slicewise.experiment.Experiment;
import io.slicewise.experiment.Plan;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;

/** Estimates the time left: by the windows planned at first, by the trials seen later. */
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
    this.coolDown = experiment.coolDown();
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

  /** Since this process took the run up. */
  Duration elapsed() {
    return Duration.between(began, clock.instant());
  }

  /** For so many trials, the one under way included. */
  Duration left(int remaining) {
    Duration each = trials == 0 ? planned : spent.dividedBy(trials).plus(coolDown);
    Duration done = underWay ? Duration.between(started, clock.instant()) : Duration.ZERO;
    Duration left = each.multipliedBy(remaining).minus(done.compareTo(each) < 0 ? done : each);
    return left.isNegative() ? Duration.ZERO : left;
  }
}
