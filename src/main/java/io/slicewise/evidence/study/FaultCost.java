package io.slicewise.evidence.study;

import io.slicewise.stats.BoxSummary;
import java.util.List;

/**
 * What a page fault costs, in seconds, without a tool of its own: by system time, which holds all
 * else that the kernel did; and by a new connection a query against one kept, whose pages stay
 * mapped.
 *
 * @param bySums (Σ T_query − Σ T_one) / Σ f
 * @param byMedian median over cases of (T_query − T_one) / f
 */
public record FaultCost(double bySums, double byMedian) {
  /** System time by fault. */
  public static double ofSystemTime(StudyCell cell) {
    return cell.value("sys") / cell.value("page_faults");
  }

  /**
   * The cost by connections.
   *
   * @param arms a connection a query, and one kept; the faults of the second are taken for 0 where
   *     they were not counted
   */
  public static FaultCost ofConnections(List<Pair> arms) {
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
