package io.slicewise.load.access;

import io.slicewise.base.units.Window;
import java.time.Instant;

/**
 * A request that counts, by this machine's clock.
 *
 * @param label the number of its label
 */
public record Seen(
    long startMicros,
    long durationMicros,
    long upstreamMicros,
    int status,
    int label,
    boolean aborted) {
  private static final int FAILED = 500;

  static Seen of(Request request, long startMicros, int label) {
    return new Seen(
        startMicros,
        request.durationMicros(),
        request.upstreamMicros(),
        request.status(),
        label,
        request.aborted());
  }

  /** Returns an instant in microseconds, as requests have them. */
  public static long micros(Instant instant) {
    return 1_000_000 * instant.getEpochSecond() + instant.getNano() / 1000;
  }

  /** Returns whether a time in microseconds is in a window. */
  static boolean isWithin(Window window, long micros) {
    return micros >= micros(window.start()) && micros < micros(window.end());
  }

  /** Returns whether it started in a window. */
  boolean startedIn(Window window) {
    return isWithin(window, startMicros);
  }

  public boolean failed() {
    return status >= FAILED;
  }
}
