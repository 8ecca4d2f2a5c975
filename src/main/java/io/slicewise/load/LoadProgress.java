package io.slicewise.load;

/**
 * Live numbers of a load.
 *
 * @param activeUsers users that have started and not ended
 * @param samples since the load began, failed ones included
 * @param failed since the load began
 * @param ratePerSecond in the last second; {@code NaN} before the first has passed
 * @param p95Millis in the last second; {@code NaN} when no sample ended in that second
 */
public record LoadProgress(
    int activeUsers, long samples, long failed, double ratePerSecond, double p95Millis) {
  public static final LoadProgress NONE = new LoadProgress(0, 0, 0, Double.NaN, Double.NaN);
}
