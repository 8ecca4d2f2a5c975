package io.slicewise.load.generator;

/**
 * Live numbers of a load and of the generator that makes it. Rate and percentile are those of the
 * last ten seconds, or of all there were so far.
 *
 * @param activeUsers users that have started and not ended
 * @param samples since the load began, failed ones included
 * @param failed since the load began
 * @param ratePerSecond {@code NaN} before the first second has passed
 * @param p95Millis {@code NaN} when no sample ended in those seconds
 * @param cpuShare how busy the generator's machine was since the window began (before that: since
 *     the load began), as {@link GeneratorHealth#busyShare}; {@code NaN} when not known
 * @param latenessP99Millis in the same time, as {@link GeneratorHealth#latenessP99Millis}
 */
public record LoadProgress(
    int activeUsers,
    long samples,
    long failed,
    double ratePerSecond,
    double p95Millis,
    double cpuShare,
    double latenessP99Millis) {
  public static final LoadProgress NONE =
      new LoadProgress(0, 0, 0, Double.NaN, Double.NaN, Double.NaN, Double.NaN);
}
