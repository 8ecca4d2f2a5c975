package io.slicewise.evidence.study;

import java.util.List;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;

/**
 * One case on two tiers, or in two arms.
 *
 * @param base the reference
 * @param printed differences printed in the table, with more digits than the two values give; empty
 *     for a run
 */
public record Pair(StudyCell base, StudyCell other, StudyCell printed) {
  /** Other / base. */
  public double ratio(String metric) {
    return other.value(metric) / base.value(metric);
  }

  /** Other − base. */
  public double difference(String metric) {
    return other.value(metric) - base.value(metric);
  }

  /** 100 (other / base − 1), in percent; the printed value if there is one. */
  public double slowdown(String metric) {
    return Stream.of(
            metric.equals("runtime") ? "rel_slowdown" : "",
            "rel_" + metric + "_slowdown",
            metric + "_slowdown")
        .filter(printed::has)
        .findFirst()
        .map(printed::value)
        .orElseGet(() -> 100 * (ratio(metric) - 1));
  }

  /** A property of each pair, in their order. */
  public static double[] each(List<Pair> pairs, ToDoubleFunction<Pair> property) {
    return pairs.stream().mapToDouble(property).toArray();
  }

  /** The sum of a property. */
  public static double sum(List<Pair> pairs, ToDoubleFunction<Pair> property) {
    return pairs.stream().mapToDouble(property).sum();
  }
}
