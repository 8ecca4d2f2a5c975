package io.slicewise.evidence.study;

import io.slicewise.stats.BoxSummary;
import java.util.List;

/**
 * The cost of a page fault in seconds, without a special tool: from system time, which includes all
 * other work of the kernel; and from a new connection per query compared with a persistent one,
 * whose pages stay mapped.
 *
 * @param bySums (Σ T_query − Σ T_one) / Σ f
 * @param byMedian median over cases of (T_query − T_one) / f
 */
public record FaultCost(double bySums, double byMedian) {
  /** System time per fault. */
  public static double ofSystemTime(StudyCell cell) {
    return cell.value("sys") / cell.value("page_faults");
  }

  /**
   * The cost from connections.
   *
   * @param all one connection per query, and a persistent one, whose faults are assumed to be 0 if
   *     not counted; cases in which a new connection does not fault more are left out
   */
  public static FaultCost ofConnections(List<Pair> all) {
    List<Pair> arms = all.stream().filter(pair -> faults(pair) > 0).toList();
    if (arms.isEmpty()) {
      return new FaultCost(Double.NaN, Double.NaN);
    }
    double saved = -Pair.sum(arms, pair -> pair.difference("runtime"));
    return new FaultCost(
        saved / Pair.sum(arms, FaultCost::faults),
        BoxSummary.of(Pair.each(arms, pair -> -pair.difference("runtime") / faults(pair)))
            .median());
  }

  private static double faults(Pair arms) {
    double kept = arms.other().value("page_faults");
    return arms.base().value("page_faults") - (Double.isNaN(kept) ? 0 : kept);
  }
}
