package io.slicewise.load;

/**
 * Live numbers of the last second.
 *
 * @param activeUsers users that have started and not ended
 * @param p95Millis {@code NaN} when no sample ended in that second
 */
public record LoadProgress(
    int activeUsers, long samples, long failed, double ratePerSecond, double p95Millis) {
  public static final LoadProgress NONE = new LoadProgress(0, 0, 0, Double.NaN, Double.NaN);
}
