package io.slicewise.load.generator;

import java.util.Comparator;
import java.util.List;

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
 *     since the load began), as {@link GeneratorHealth#busyShare}
 * @param latenessP99Millis in the same period, as {@link GeneratorHealth#latenessP99Millis}
 */
public record LoadProgress(
    int activeUsers,
    long samples,
    long failed,
    double sumOfLogs,
    double ratePerSecond,
    double p95Millis,
    Worst cpuShare,
    Worst latenessP99Millis) {
  public static final LoadProgress NONE =
      new LoadProgress(0, 0, 0, 0, Double.NaN, Double.NaN, Worst.UNKNOWN, Worst.UNKNOWN);

  /**
   * The worst value of the generators, which decides.
   *
   * @param value {@code NaN} if unknown
   * @param generator the one of several whose value it is; empty if there is one
   */
  public record Worst(double value, String generator) {
    static final Worst UNKNOWN = new Worst(Double.NaN);

    /** The value of a single generator. */
    public Worst(double value) {
      this(value, "");
    }

    /** Returns the largest known value; the first one if none is known. */
    public static Worst of(List<Worst> each) {
      return each.stream()
          .filter(one -> !Double.isNaN(one.value))
          .max(Comparator.comparingDouble(Worst::value))
          .orElse(each.get(0));
    }
  }
}
