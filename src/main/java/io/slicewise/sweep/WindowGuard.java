package io.slicewise.sweep;

import io.slicewise.experiment.Experiment;
import io.slicewise.run.CutShort;
import io.slicewise.stats.SlowdownAlarm;
import io.slicewise.stats.SlowdownAlarm.Alarm;
import io.slicewise.sweep.outcome.Outcomes;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Ends a window of a study of pairs while its users wait longer than usual, and sets the settings
 * found again if it was a candidate's. It judges the windows of both sides alike, so that a pair
 * with a window that was cut remains a fair one. What is usual, it learns in windows with the
 * settings found, and at the end of the warm-up.
 */
final class WindowGuard {
  /** Ends no window. */
  static final WindowGuard NONE = new WindowGuard(Optional.empty(), Clock.systemUTC());

  private final Optional<SlowdownAlarm> alarm;
  private final Clock clock;
  private final List<SlowdownAlarm.Second> usual = new ArrayList<>();
  private boolean watching;
  private boolean learning;
  private Optional<Alarm> given = Optional.empty();
  private Instant givenAt = Instant.MAX;
  private Instant since = Instant.MAX;
  private Optional<Runnable> restore = Optional.empty();
  private Optional<CutShort> cut = Optional.empty();

  private WindowGuard(Optional<SlowdownAlarm> alarm, Clock clock) {
    this.alarm = alarm;
    this.clock = clock;
  }

  /** Returns the guard of an experiment's windows: of pairs; none of other designs. */
  static WindowGuard of(Experiment experiment, Clock clock) {
    return experiment.pairs().isEmpty()
        ? NONE
        : new WindowGuard(Optional.of(new SlowdownAlarm(experiment.limits().errorShare())), clock);
  }

  /** Begins to learn what is usual, until {@link #ended}. */
  synchronized void learn() {
    since = clock.instant();
    learning = alarm.isPresent();
  }

  /**
   * Begins to watch a window, until {@link #ended}.
   *
   * @param restoring sets the settings found; empty if the window has them
   */
  synchronized void begin(Optional<Runnable> restoring) {
    since = clock.instant();
    restore = restoring;
    cut = Optional.empty();
    given = Optional.empty();
    watching = alarm.isPresent();
    learning = watching && restoring.isEmpty();
    alarm.ifPresent(SlowdownAlarm::begin);
  }

  /** Takes what the users experienced in a second; one from before the window is another's. */
  synchronized void second(Outcomes.Second seen) {
    if (seen.at().isBefore(since)) {
      return;
    }
    SlowdownAlarm.Second second =
        new SlowdownAlarm.Second(seen.requests(), seen.errors(), seen.sumOfLogMillis());
    if (learning) {
      usual.add(second);
    }
    if (watching && given.isEmpty()) {
      given = alarm.flatMap(its -> its.watch(second));
      givenAt = clock.instant();
    }
  }

  /** Returns whether the window must end now. */
  synchronized boolean isGiven() {
    return given.isPresent();
  }

  /** Ends the window or the warm-up, with the settings found in force if it was cut short. */
  void ended() {
    Optional<Alarm> why;
    synchronized (this) {
      watching = false;
      learning = false;
      usual.forEach(second -> alarm.ifPresent(its -> its.learn(second)));
      usual.clear();
      why = given;
    }
    why.ifPresent(this::cutShort);
  }

  private void cutShort(Alarm why) {
    restore.ifPresent(Runnable::run);
    Duration took =
        restore.isPresent() ? Duration.between(givenAt, clock.instant()) : Duration.ZERO;
    cut = Optional.of(new CutShort(why.hard(), why.sentence(), took.toMillis() / 1e3));
  }

  /** Returns why the last window was cut short; empty if it was not. */
  Optional<CutShort> cut() {
    return cut;
  }
}
