package io.slicewise.load.access;

import io.slicewise.base.units.Phrase;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * The clock of the log's machine against this machine's: of the exchanges of the last minutes, the
 * one with the shortest round trip counts, and half of that bounds the error. A step of either
 * clock is a change beyond the bounds.
 */
final class LogClock {
  private static final Duration REMEMBERED = Duration.ofMinutes(2);

  /** What two exchanges may differ by beyond their bounds. */
  private static final Duration STEP = Duration.ofMillis(300);

  private Duration ahead = Duration.ZERO;
  private Duration bound = REMEMBERED;
  private Instant measured = Instant.MIN;

  /** Takes an exchange; returns the step since the one before, as a clause, if there is one. */
  Optional<String> take(LogFollower.Poll poll) {
    Duration half = Duration.between(poll.asked(), poll.answered()).dividedBy(2);
    Duration offset = Duration.between(poll.asked().plus(half), poll.theirs());
    boolean first = measured.equals(Instant.MIN);
    Duration change = offset.minus(ahead);
    boolean stepped = !first && change.abs().compareTo(half.abs().plus(bound).plus(STEP)) > 0;
    if (first
        || stepped
        || half.compareTo(bound) <= 0
        || measured.plus(REMEMBERED).isBefore(poll.answered())) {
      ahead = offset;
      bound = half.abs();
      measured = poll.answered();
    }
    return stepped
        ? Optional.of(
            Phrase.of(
                "a clock was set: that of the log's machine moved by %+.1f s against this"
                    + " machine's",
                change.toNanos() / 1e9))
        : Optional.empty();
  }

  Duration ahead() {
    return ahead;
  }

  Duration bound() {
    return bound;
  }
}
