package io.slicewise.published;

import io.slicewise.stats.TukeyFences;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.apache.commons.math3.stat.descriptive.rank.Percentile;

/**
 * Counts of the same work on two systems: pages touched, megabytes read. Their ratio may differ
 * from 1, but not in one case alone.
 */
final class Alike {
  /** Quartiles of fewer cases say nothing. */
  private static final int FEWEST = 8;

  private static final double MUCH = 0.05;

  private Alike() {}

  private record Pair(Printed base, Printed xen) {
    double ratio() {
      return xen.value() / base.value();
    }
  }

  static List<Held> held(Numbers numbers) {
    Map<String, List<Pair>> columns = new LinkedHashMap<>();
    for (Printed xen : numbers.all()) {
      boolean count = xen.unit().equals("count") || xen.unit().equals("MB");
      if (count && xen.variant().equals("xen")) {
        numbers
            .beside(xen, "base", xen.metric())
            .filter(base -> base.table().equals(xen.table()) && base.value() > 0)
            .ifPresent(
                base ->
                    columns
                        .computeIfAbsent(xen.table() + "," + xen.metric(), c -> new ArrayList<>())
                        .add(new Pair(base, xen)));
      }
    }
    return columns.values().stream().flatMap(pairs -> held(pairs).stream()).toList();
  }

  private static List<Held> held(List<Pair> pairs) {
    if (pairs.size() < FEWEST) {
      return List.of();
    }
    double[] ratios = pairs.stream().mapToDouble(Pair::ratio).toArray();
    double usual = new Percentile().evaluate(ratios, 50);
    List<Integer> outside = TukeyFences.outside(ratios);
    List<Held> held = new ArrayList<>();
    for (int i = 0; i < pairs.size(); i++) {
      Pair pair = pairs.get(i);
      boolean off = outside.contains(i) && Math.abs(pair.ratio() / usual - 1) > MUCH;
      held.add(off ? broken(pair, usual) : Held.sound(pair.xen(), Rule.ALIKE));
    }
    return held;
  }

  private static Held broken(Pair pair, double usual) {
    return Held.broken(
        pair.xen(),
        Rule.ALIKE,
        String.format(
            Locale.ROOT,
            "%s: %s %s, %+.1f %% beside %s's %s; the others' median is %+.1f %%",
            pair.xen().subject(),
            pair.xen().line().text("metric"),
            pair.xen().text(),
            100 * (pair.ratio() - 1),
            pair.base().variant(),
            pair.base().text(),
            100 * (usual - 1)),
        "one of the two was mistyped, or counted over another piece of work");
  }
}
