package io.slicewise.evidence.study;

import java.util.Arrays;
import java.util.List;

/**
 * The slowdown over all cases, in percent, in three ways whose signs may differ: the geometric mean
 * of the ratios, the mean of the slowdowns, and the ratio of the sums, which the longest cases
 * dominate.
 *
 * @param smallest of the single slowdowns
 */
public record OverallSlowdown(
    double geometric, double mean, double ofSums, double smallest, double largest) {
  /**
   * The overall slowdown of a metric.
   *
   * @throws IllegalArgumentException if there is no pair
   */
  public static OverallSlowdown of(List<Pair> pairs, String metric) {
    if (pairs.isEmpty()) {
      throw new IllegalArgumentException("no case has " + metric + " on both systems");
    }
    double[] each = Pair.each(pairs, pair -> pair.slowdown(metric));
    double logs = Pair.sum(pairs, pair -> Math.log(pair.ratio(metric))) / pairs.size();
    double base = Pair.sum(pairs, pair -> pair.base().value(metric));
    double other = Pair.sum(pairs, pair -> pair.other().value(metric));
    return new OverallSlowdown(
        100 * Math.expm1(logs),
        Arrays.stream(each).average().orElseThrow(),
        100 * (other / base - 1),
        Arrays.stream(each).min().orElseThrow(),
        Arrays.stream(each).max().orElseThrow());
  }
}
