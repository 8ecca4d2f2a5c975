package io.slicewise.load.generator;

/**
 * The arrivals of an open load in the measured window.
 *
 * @param started that a user took
 * @param dropped for which no user was free for a second
 * @param lateP99Millis 99th percentile of how late they were taken; {@code NaN} without any
 */
public record Arrivals(long started, long dropped, double lateP99Millis) {
  /** Returns the share of arrivals that were dropped; {@code NaN} without any. */
  public double droppedShare() {
    return (double) dropped / (started + dropped);
  }
}
