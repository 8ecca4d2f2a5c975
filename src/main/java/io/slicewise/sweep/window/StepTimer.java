package io.slicewise.sweep.window;

import io.slicewise.experiment.Trial;
import io.slicewise.run.SweepListener;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;

/** Reports a trial's steps to the listener and records their durations. */
final class StepTimer {
  private final Clock clock;
  private final SweepListener listener;
  private final Trial trial;
  private final Map<String, Double> seconds = new LinkedHashMap<>();
  private SweepListener.Step current;
  private Instant entered;

  StepTimer(Clock clock, SweepListener listener, Trial trial) {
    this.clock = clock;
    this.listener = listener;
    this.trial = trial;
  }

  void enter(SweepListener.Step step, Duration expected) {
    leave();
    current = step;
    entered = clock.instant();
    listener.step(trial, step, expected);
  }

  /** Records a finished step. */
  void took(SweepListener.Step step, Duration time) {
    seconds.merge(step.text(), time.toNanos() / 1e9, Double::sum);
  }

  /** The seconds by step so far, including the current one. */
  Map<String, Double> seconds() {
    leave();
    return new LinkedHashMap<>(seconds);
  }

  private void leave() {
    if (current != null) {
      double taken = Duration.between(entered, clock.instant()).toNanos() / 1e9;
      seconds.merge(current.text(), taken, Double::sum);
      entered = clock.instant();
    }
  }
}
