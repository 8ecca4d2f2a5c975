package io.slicewise.load.access;

import java.time.Instant;
import java.util.Map;
import java.util.TreeMap;

/** The requests of each second in which they ended, passed on in order. */
public final class LoggedSeconds {
  /** Receives a second. */
  @FunctionalInterface
  public interface Listener {
    /**
     * Takes what ended in one second.
     *
     * @param sumOfLogMillis of the natural logarithms of the durations in milliseconds
     */
    void second(Instant at, long requests, long errors, double sumOfLogMillis);
  }

  private static final class Sum {
    long requests;
    long errors;
    double logMillis;
  }

  private final TreeMap<Long, Sum> sums = new TreeMap<>();
  private Listener listener = (at, requests, errors, logs) -> {};
  private boolean heard;
  private long passed = Long.MIN_VALUE;

  void listener(Listener receiver) {
    listener = receiver;
    heard = true;
  }

  /**
   * Returns the natural logarithm of a duration in milliseconds. A duration of 0 is one below the
   * resolution, and counts as half of it.
   */
  public static double logMillis(long durationMicros, long resolutionMicros) {
    return Math.log(Math.max((double) durationMicros, resolutionMicros / 2.0) / 1000);
  }

  void take(Seen seen, long resolutionMicros) {
    if (!heard) {
      return;
    }
    long second = Math.floorDiv(seen.startMicros() + seen.durationMicros(), 1_000_000);
    if (second <= passed) {
      return;
    }
    Sum sum = sums.computeIfAbsent(second, any -> new Sum());
    if (!seen.aborted()) {
      sum.requests++;
      sum.errors += seen.failed() ? 1 : 0;
      sum.logMillis += logMillis(seen.durationMicros(), resolutionMicros);
    }
  }

  /** Passes the seconds on that ended before. */
  void pass(Instant before) {
    if (!heard) {
      return;
    }
    long last = before.getEpochSecond() - 1;
    if (passed == Long.MIN_VALUE) {
      passed = last;
      sums.headMap(last, true).clear();
      return;
    }
    Sum none = new Sum();
    while (passed < last) {
      passed++;
      Map.Entry<Long, Sum> first = sums.firstEntry();
      Sum sum = first != null && first.getKey() == passed ? sums.remove(passed) : none;
      listener.second(Instant.ofEpochSecond(passed), sum.requests, sum.errors, sum.logMillis);
    }
  }
}
