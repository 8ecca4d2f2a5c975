package io.slicewise.load.generator;

import java.time.Duration;

/**
 * How far a clock is ahead of this machine's.
 *
 * @param bound of the error in either direction: half of the shortest round trip
 * @param drift the offset at the end of a window less that at its start
 */
public record ClockOffset(Duration ahead, Duration bound, Duration drift) {
  /** This machine's own clock. */
  public static final ClockOffset NONE = new ClockOffset(Duration.ZERO, Duration.ZERO);

  /** An offset that was measured once. */
  public ClockOffset(Duration ahead, Duration bound) {
    this(ahead, bound, Duration.ZERO);
  }

  /** Returns the better of this measurement and a later one, with the drift between them. */
  public ClockOffset until(ClockOffset later) {
    ClockOffset better = later.bound.compareTo(bound) < 0 ? later : this;
    return new ClockOffset(better.ahead, better.bound, later.ahead.minus(ahead));
  }
}
