package io.slicewise.sweep.window;

import io.slicewise.base.units.DurationText;
import io.slicewise.base.units.Phrase;
import io.slicewise.base.units.Window;
import io.slicewise.experiment.Experiment;
import io.slicewise.run.result.TrialTimes.CutShort;
import io.slicewise.stats.SlowdownAlarm;
import io.slicewise.stats.SlowdownAlarm.Alarm;
import io.slicewise.sweep.outcome.Outcomes;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;

/**
 * Ends a window of a study of pairs, or the wash-out before it, while its users wait longer than
 * usual, and sets the settings found again if it was a candidate's. It judges the windows of both
 * sides alike, so that a pair with a window that was cut remains a fair one. What is usual, it
 * learns in windows with the settings found, and at the end of the warm-up.
 */
public final class WindowGuard {
  /** How late a second may be known without being called late: it is asked for once a second. */
  private static final Duration IN_TIME = Duration.ofMillis(2_500);

  /** The time in which {@link SlowdownAlarm} notices a doubling. */
  private static final Duration FASTEST = Duration.ofSeconds(5);

  /** Windows of which a second may still become known. */
  private static final int REMEMBERED = 8;

  /** Ends no window. */
  static final WindowGuard NONE = new WindowGuard(Optional.empty(), Clock.systemUTC());

  private final Optional<SlowdownAlarm> alarm;
  private final Clock clock;
  private final Deque<Window> calm = new ArrayDeque<>();
  private Optional<Instant> calmSince = Optional.empty();
  private boolean watching;
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
  public static WindowGuard of(Experiment experiment, Clock clock) {
    return experiment.pairs().isEmpty()
        ? NONE
        : new WindowGuard(Optional.of(new SlowdownAlarm(experiment.limits().errorShare())), clock);
  }

  /**
   * Returns why a guard of pairs is late, if what it watches is known that late; empty if it is in
   * time.
   */
  public static Optional<String> lateBy(Duration lateness, Experiment experiment) {
    if (experiment.pairs().isEmpty() || lateness.compareTo(IN_TIME) < 0) {
      return Optional.empty();
    }
    Duration noticed = lateness.plus(FASTEST);
    boolean blind = noticed.compareTo(experiment.measure()) > 0;
    return Optional.of(
        Phrase.of(
            "lines of the log come up to %.1f s after their requests, so a slowdown is noticed after"
                + " %.0f s at the earliest%s: let the server flush its log each second",
            Window.seconds(lateness),
            Window.seconds(noticed),
            blind
                ? ", later than windows of %s end (or lengthen 'window' of design)"
                    .formatted(DurationText.of(experiment.measure()))
                : ""));
  }

  /** Begins to learn what is usual, until {@link #ended}. */
  public synchronized void learn() {
    calmSince = Optional.of(clock.instant());
  }

  /**
   * Begins to watch the wash-out before a window, and then the window, until {@link #ended}.
   *
   * @param restoring sets the settings found; empty if the window has them
   */
  public synchronized void begin(Optional<Runnable> restoring) {
    since = clock.instant();
    restore = restoring;
    cut = Optional.empty();
    given = Optional.empty();
    watching = alarm.isPresent();
    alarm.ifPresent(SlowdownAlarm::begin);
  }

  /** Goes on to watch the window after the wash-out. */
  public synchronized void measure() {
    if (restore.isEmpty()) {
      learn();
    }
  }

  /**
   * Takes what the users experienced in a second, which may be known only after its window; one
   * from before the change of settings is not of the window that is watched.
   */
  public synchronized void second(Outcomes.Second seen) {
    SlowdownAlarm.Second second =
        new SlowdownAlarm.Second(seen.requests(), seen.errors(), seen.sumOfLogMillis());
    if (isCalm(seen.at())) {
      alarm.ifPresent(its -> its.learn(second));
    }
    if (watching && given.isEmpty() && !seen.at().isBefore(since)) {
      given = alarm.flatMap(its -> its.watch(second));
      givenAt = clock.instant();
    }
  }

  private boolean isCalm(Instant at) {
    return calmSince.filter(from -> !at.isBefore(from)).isPresent()
        || calm.stream()
            .anyMatch(window -> !at.isBefore(window.start()) && at.isBefore(window.end()));
  }

  /** Returns whether the window must end now. */
  synchronized boolean isGiven() {
    return given.isPresent();
  }

  /** Ends the window or the warm-up, with the settings found in force if it was cut short. */
  public void ended() {
    synchronized (this) {
      watching = false;
      calmSince.ifPresent(from -> calm.addLast(new Window(from, clock.instant())));
      calmSince = Optional.empty();
      if (calm.size() > REMEMBERED) {
        calm.removeFirst();
      }
    }
    restoreIfGiven();
  }

  /** Sets the settings found again if the window must end now, and has not been ended yet. */
  void restoreIfGiven() {
    Optional<Alarm> why;
    synchronized (this) {
      why = given;
    }
    if (cut.isEmpty()) {
      why.ifPresent(this::cutShort);
    }
  }

  private void cutShort(Alarm why) {
    restore.ifPresent(Runnable::run);
    Duration took =
        restore.isPresent() ? Duration.between(givenAt, clock.instant()) : Duration.ZERO;
    cut = Optional.of(new CutShort(why.kind(), why.sentence(), took.toMillis() / 1e3));
  }

  /** Returns why the last window was cut short; empty if it was not. */
  public Optional<CutShort> cut() {
    return cut;
  }
}
