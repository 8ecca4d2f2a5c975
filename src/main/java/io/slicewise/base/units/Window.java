package io.slicewise.base.units;

import java.io.Serializable;
import java.time.Duration;
import java.time.Instant;

/** A period of wall-clock time, start included, end excluded, by the harness's own clock. */
public record Window(Instant start, Instant end) implements Serializable {
  public Window {
    if (end.isBefore(start)) {
      throw new IllegalArgumentException(
          "the window ends at " + end + ", before its start " + start);
    }
  }

  public Duration length() {
    return Duration.between(start, end);
  }

  /** The length in seconds, with fractions. */
  public double seconds() {
    return seconds(length());
  }

  /** Returns a time in seconds, with fractions. */
  public static double seconds(Duration time) {
    return time.toNanos() / 1e9;
  }

  public boolean contains(Instant instant) {
    return !instant.isBefore(start) && instant.isBefore(end);
  }
}
