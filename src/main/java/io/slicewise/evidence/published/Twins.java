package io.slicewise.evidence.published;

import io.slicewise.evidence.published.TableRule.RuleResult;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * Checks the same measurement printed under two names. Cases named baseline, alone, single or only
 * are the same case. Two tables with nearly the same numbers print the same measurements, whatever
 * the names of their experiments: at least {@value #MOST} of the common numbers are equal, and at
 * least {@value #FEWEST}. Differences are doubts, because names may have been confused.
 */
final class Twins {
  private static final double MOST = 0.8;
  private static final int FEWEST = 5;

  private Twins() {}

  private record Of(Map<String, String> keys, String variant, String metric) {}

  static List<RuleResult> check(PublishedNumbers numbers) {
    List<RuleResult> results = new ArrayList<>(alone(numbers));
    results.addAll(alike(numbers));
    return results;
  }

  /** Checks the case without others, whose name differs between tables. */
  private static List<RuleResult> alone(PublishedNumbers numbers) {
    Map<Of, List<Printed>> cases = new LinkedHashMap<>();
    for (Printed number : numbers.all()) {
      if (Changes.isAlone(number)) {
        cases.computeIfAbsent(of(number), of -> new ArrayList<>()).add(number);
      }
    }
    List<RuleResult> results = new ArrayList<>();
    for (List<Printed> same : cases.values()) {
      for (int i = 0; i < same.size(); i++) {
        Printed one = same.get(i);
        List<Printed> later =
            same.subList(i + 1, same.size()).stream().filter(other -> isOther(one, other)).toList();
        Agreement.worst(one, later)
            .ifPresent(
                other ->
                    results.add(
                        compared(one, other, "both names mean the case without interference")));
      }
    }
    return results;
  }

  private static boolean isOther(Printed one, Printed other) {
    return !one.table().equals(other.table())
        && !one.keys().equals(other.keys())
        && one.unit().equals(other.unit());
  }

  private static Of of(Printed number) {
    Map<String, String> keys = new TreeMap<>(number.keys());
    keys.remove("experiment");
    return new Of(keys, number.variant(), number.metric());
  }

  private static List<RuleResult> alike(PublishedNumbers numbers) {
    Map<Printed.Table, Map<Of, Printed>> tables = new LinkedHashMap<>();
    Map<Printed.Table, Set<Of>> several = new LinkedHashMap<>();
    for (Printed number : numbers.all()) {
      Map<Of, Printed> table = tables.computeIfAbsent(number.table(), t -> new LinkedHashMap<>());
      if (table.put(of(number), number) != null) {
        several.computeIfAbsent(number.table(), t -> new LinkedHashSet<>()).add(of(number));
      }
    }
    several.forEach((table, twice) -> tables.get(table).keySet().removeAll(twice));
    List<Map<Of, Printed>> all = List.copyOf(tables.values());
    List<RuleResult> results = new ArrayList<>();
    for (int i = 0; i < all.size(); i++) {
      for (int j = i + 1; j < all.size(); j++) {
        results.addAll(alike(all.get(i), all.get(j)));
      }
    }
    return results;
  }

  private static List<RuleResult> alike(Map<Of, Printed> first, Map<Of, Printed> second) {
    List<Printed> shared =
        first.entrySet().stream()
            .filter(one -> second.containsKey(one.getKey()))
            .filter(one -> differs(one.getValue(), second.get(one.getKey())))
            .map(Map.Entry::getValue)
            .toList();
    long same =
        shared.stream().filter(one -> one.span().equals(second.get(of(one)).span())).count();
    if (same < FEWEST || same < MOST * shared.size()) {
      return List.of();
    }
    String why = "%d of the %d numbers in both tables are equal".formatted(same, shared.size());
    return shared.stream().map(one -> compared(one, second.get(of(one)), why)).toList();
  }

  /** Whether two numbers belong to experiments with different names; zeros are equal everywhere. */
  private static boolean differs(Printed one, Printed other) {
    return !one.experiment().equals(other.experiment())
        && one.unit().equals(other.unit())
        && one.value() != 0;
  }

  private static RuleResult compared(Printed one, Printed other, String why) {
    RuleResult agreed = Agreement.check(one, other);
    return agreed.broken().isEmpty()
        ? agreed
        : RuleResult.doubted(
            one,
            TableRule.PRINTED_TWICE,
            "%s: %s is %s here, and %s of %s in %s; %s"
                .formatted(
                    one.subject(),
                    one.line().text("metric"),
                    one.text(),
                    other.text(),
                    other.subject(),
                    other.where(),
                    why),
            "the two come from different runs, or were rounded differently");
  }
}
