package io.slicewise.evidence.published;

import io.slicewise.base.units.Phrase;
import io.slicewise.evidence.published.TableRule.RuleResult;
import io.slicewise.stats.table.TukeyFences;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.commons.math3.stat.descriptive.rank.Percentile;

/**
 * Counts of the same work on two systems: pages touched, system calls, megabytes read. A case is
 * reported if its ratio is beyond Tukey's fences and 5 % off the table's median ratio, and if its
 * difference deviates from the table's median difference by more than three standard deviations of
 * the counts: a few additional calls in each case are a large ratio of a tiny count. A group of
 * cases that differs as a whole, such as one kind of call in every query, is reported once.
 */
final class Alike {
  /** Quartiles of fewer cases are meaningless. */
  private static final int FEWEST = 8;

  private static final double MUCH = 0.05;

  /** The number of calls, or units, by which any case may differ. */
  private static final double FEW = 5;

  private Alike() {}

  /**
   * The pairs with one name in a column.
   *
   * @param ratio the median of its {@code size} pairs
   */
  private record Group(String column, String name, double ratio, int size) {
    Group(String column, String name) {
      this(column, name, Double.NaN, 0);
    }

    Group of(double median, int pairs) {
      return new Group(column, name, median, pairs);
    }
  }

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
    Set<Pair> off = off(pairs);
    Map<Group, Set<Pair>> shifted = shifted(pairs, off);
    double usual = ratio(pairs);
    List<RuleResult> results = new ArrayList<>();
    Set<Group> told = new LinkedHashSet<>();
    for (Pair pair : pairs) {
      Optional<Group> group =
          shifted.keySet().stream().filter(one -> shifted.get(one).contains(pair)).findFirst();
      boolean again = group.filter(one -> !told.add(one)).isPresent();
      if (!off.contains(pair) || again) {
        results.add(RuleResult.sound(pair.xen(), TableRule.ALIKE));
      } else {
        results.add(
            group.map(one -> doubted(pair, one, usual)).orElseGet(() -> doubted(pair, usual)));
      }
    }
    return results;
  }

  /** The pairs that do not do the work of the others. */
  private static Set<Pair> off(List<Pair> pairs) {
    double usual = ratio(pairs);
    double shift = median(pairs.stream().mapToDouble(Pair::difference).toArray());
    List<Integer> outside = TukeyFences.outside(pairs.stream().mapToDouble(Pair::ratio).toArray());
    return outside.stream()
        .map(pairs::get)
        .filter(pair -> Math.abs(pair.ratio() / usual - 1) > MUCH)
        .filter(pair -> Math.abs(pair.difference()) > pair.tolerance())
        .filter(pair -> Math.abs(pair.difference() - shift) > pair.tolerance())
        .collect(Collectors.toCollection(LinkedHashSet::new));
  }

  /**
   * The groups, such as one kind of call in all queries, that differ from the others as a whole,
   * with their pairs: one difference, not one for each pair.
   */
  private static Map<Group, Set<Pair>> shifted(List<Pair> pairs, Set<Pair> off) {
    Map<Group, List<Pair>> groups = new LinkedHashMap<>();
    for (Pair pair : pairs) {
      pair.xen()
          .keys()
          .forEach(
              (column, name) ->
                  groups
                      .computeIfAbsent(new Group(column, name), g -> new ArrayList<>())
                      .add(pair));
    }
    Map<Group, Set<Pair>> shifted = new LinkedHashMap<>();
    groups.forEach(
        (group, all) -> {
          if (all.size() >= FEWEST && all.size() < pairs.size()) {
            Set<Pair> explained = new LinkedHashSet<>(all);
            explained.retainAll(off);
            explained.removeAll(off(all));
            if (explained.size() > all.size() / 2) {
              shifted.put(group.of(ratio(all), all.size()), explained);
            }
          }
        });
    return shifted;
  }

  private static double ratio(List<Pair> pairs) {
    return median(pairs.stream().mapToDouble(Pair::ratio).toArray());
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

  private static RuleResult doubted(Pair first, Group group, double usual) {
    return RuleResult.doubted(
        first.xen(),
        TableRule.ALIKE,
        Phrase.of(
            "%s %s: %s %+.1f %% compared with %s's, the median of %d cases; median of all cases"
                + " %+.1f %%",
            group.column(),
            group.name(),
            first.xen().line().text("metric"),
            100 * (group.ratio() - 1),
            first.base().variant(),
            group.size(),
            100 * (usual - 1)),
        "the two systems do this work in another way, as kernels and libraries of other versions"
            + " do");
  }
}
