package io.slicewise.load.generator;

/**
 * Live numbers of a load and of its generator. Rate and percentile cover the last ten seconds, or
 * the time since the start if that is shorter.
 *
 * @param activeUsers users that have started and have not ended
 * @param samples since the load began, failed ones included
 * @param failed since the load began
 * @param sumOfLogs of the samples' times in milliseconds, since the load began
 * @param ratePerSecond {@code NaN} before the first second has passed
 * @param p95Millis {@code NaN} if no sample ended in those seconds
 * @param cpuShare the busy share of the generator's machine since the window began (before that:
 *     since the load began), as {@link GeneratorHealth#busyShare}; {@code NaN} if unknown
 * @param latenessP99Millis in the same period, as {@link GeneratorHealth#latenessP99Millis}
 * @param busiest the generator of several whose machine is the busiest; empty if there is one
 * @param latest the generator of several whose timers are the latest; empty if there is one
 */
public record LoadProgress(
    int activeUsers,
    long samples,
    long failed,
    double sumOfLogs,
    double ratePerSecond,
    double p95Millis,
    double cpuShare,
    double latenessP99Millis,
    String busiest,
    String latest) {
  public static final LoadProgress NONE =
      new LoadProgress(0, 0, 0, 0, Double.NaN, Double.NaN, Double.NaN, Double.NaN);

  /** The progress of a single generator. */
  public LoadProgress(
      int activeUsers,
      long samples,
      long failed,
      double sumOfLogs,
      double ratePerSecond,
      double p95Millis,
      double cpuShare,
      double latenessP99Millis) {
    this(
        activeUsers,
        samples,
        failed,
        sumOfLogs,
        ratePerSecond,
        p95Millis,
        cpuShare,
        latenessP99Millis,
        "",
        "");
  }
}
