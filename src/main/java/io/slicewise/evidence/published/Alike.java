package io.slicewise.evidence.published;

import io.slicewise.base.units.Phrase;
import io.slicewise.stats.TukeyFences;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.commons.math3.stat.descriptive.rank.Percentile;

/**
 * Counts of the same work on two systems: pages touched, system calls, megabytes read. A case is
 * reported if its ratio is beyond Tukey's fences and 5 % off the table's median ratio, and if its
 * difference deviates from the table's median difference by more than three standard deviations of
 * the counts: a few additional calls in each case are a large ratio of a tiny count.
 */
final class Alike {
  /** Quartiles of fewer cases are meaningless. */
  private static final int FEWEST = 8;

  private static final double MUCH = 0.05;

  /** The number of calls, or units, by which any case may differ. */
  private static final double FEW = 5;

  private Alike() {}

  private record Pair(Printed base, Printed xen) {
    double ratio() {
      return xen.value() / base.value();
    }

    double difference() {
      return xen.value() - base.value();
    }

    /** Three standard deviations of a difference of two Poisson counts, at least five. */
    double tolerance() {
      return Math.max(FEW, 3 * Math.sqrt(base.value() + xen.value()));
    }
  }

  static List<RuleResult> check(PublishedNumbers numbers) {
    Map<String, List<Pair>> columns = new LinkedHashMap<>();
    for (Printed xen : numbers.all()) {
      boolean count = xen.unit().equals("count") || xen.unit().equals("MB");
      if (count && xen.variant().equals("xen")) {
        numbers.of(xen.keys(), "base", xen.metric()).stream()
            .filter(base -> base.table().equals(xen.table()) && base.value() > 0)
            .findFirst()
            .ifPresent(
                base ->
                    columns
                        .computeIfAbsent(xen.table() + "," + xen.metric(), c -> new ArrayList<>())
                        .add(new Pair(base, xen)));
      }
    }
    return columns.values().stream().flatMap(pairs -> check(pairs).stream()).toList();
  }

  private static List<RuleResult> check(List<Pair> pairs) {
    if (pairs.size() < FEWEST) {
      return pairs.stream()
          .map(
              pair ->
                  RuleResult.skipped(
                      pair.xen(), TableRule.ALIKE, "fewer than 8 cases have both systems"))
          .toList();
    }
    double[] ratios = pairs.stream().mapToDouble(Pair::ratio).toArray();
    double usual = median(ratios);
    double shift = median(pairs.stream().mapToDouble(Pair::difference).toArray());
    List<Integer> outside = TukeyFences.outside(ratios);
    List<RuleResult> results = new ArrayList<>();
    for (int i = 0; i < pairs.size(); i++) {
      Pair pair = pairs.get(i);
      boolean off =
          outside.contains(i)
              && Math.abs(pair.ratio() / usual - 1) > MUCH
              && Math.abs(pair.difference()) > pair.tolerance()
              && Math.abs(pair.difference() - shift) > pair.tolerance();
      results.add(off ? doubted(pair, usual) : RuleResult.sound(pair.xen(), TableRule.ALIKE));
    }
    return results;
  }

  private static double median(double[] values) {
    return new Percentile().evaluate(values, 50);
  }

  private static RuleResult doubted(Pair pair, double usual) {
    return RuleResult.doubted(
        pair.xen(),
        TableRule.ALIKE,
        Phrase.of(
            "%s: %s %s, %+.1f %% compared with %s's %s; median of all cases %+.1f %%; beyond"
                + " Tukey's fences (1.5 IQR)",
            pair.xen().subject(),
            pair.xen().line().text("metric"),
            pair.xen().text(),
            100 * (pair.ratio() - 1),
            pair.base().variant(),
            pair.base().text(),
            100 * (usual - 1)),
        "the two systems did not do the same work in this case, or one number is misprinted");
  }
}
