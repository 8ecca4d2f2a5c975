package io.slicewise.evidence.published;

import io.slicewise.evidence.published.TableRule.RuleResult;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * Checks counts by kind against a count of all kinds: system calls by name in one table, all of
 * them in another. The sum of the kinds does not exceed the whole, and their printed total equals
 * it.
 */
final class Kinds {
  static final Set<String> ALL_OF_THEM = Set.of("overall", "total", "sum", "all");

  private static final Set<String> ADDABLE = Set.of("count", "mb", "mib", "calls");

  private Kinds() {}

  /** The breakdown of a number in a table. */
  private record Breakdown(Printed whole, Printed.Table table, String column) {}

  static List<RuleResult> check(PublishedNumbers numbers) {
    Map<Breakdown, List<Printed>> breakdowns = new LinkedHashMap<>();
    for (Printed part : numbers.all()) {
      if (ADDABLE.contains(part.unit().trim().toLowerCase(Locale.ROOT))) {
        for (String column : part.keys().keySet()) {
          whole(part, column, numbers)
              .ifPresent(
                  whole ->
                      breakdowns
                          .computeIfAbsent(
                              new Breakdown(whole, part.table(), column), b -> new ArrayList<>())
                          .add(part));
        }
      }
    }
    List<RuleResult> results = new ArrayList<>();
    breakdowns.forEach((of, parts) -> add(of, parts, numbers, results));
    return results;
  }

  private static Optional<Printed> whole(Printed part, String column, PublishedNumbers numbers) {
    Map<String, String> keys = new TreeMap<>(part.keys());
    keys.remove(column);
    return numbers.of(keys, part.variant(), part.metric()).stream()
        .filter(one -> one.unit().equals(part.unit()))
        .findFirst();
  }

  private static void add(
      Breakdown of, List<Printed> parts, PublishedNumbers numbers, List<RuleResult> results) {
    List<Printed> totals = parts.stream().filter(one -> isTotal(one, of.column())).toList();
    List<Printed> kinds = parts.stream().filter(one -> !isTotal(one, of.column())).toList();
    totals.forEach(total -> results.add(Agreement.check(total, of.whole())));
    if (kinds.size() > 1) {
      results.add(sum(kinds, new Inputs(kinds.get(0), numbers), of.whole()));
    }
  }

  private static boolean isTotal(Printed one, String column) {
    return ALL_OF_THEM.contains(one.keys().get(column).trim().toLowerCase(Locale.ROOT));
  }

  private static RuleResult sum(List<Printed> kinds, Inputs inputs, Printed whole) {
    Printed first = kinds.get(0);
    Span sum = kinds.stream().map(Printed::span).reduce(Span::plus).orElseThrow();
    if (sum.low() <= whole.span().high()) {
      return RuleResult.sound(first, TableRule.PARTS);
    }
    String message =
        "%s: %s of %d kinds add up to %s, more than all: %s"
            .formatted(
                whole.subject(), first.line().text("metric"), kinds.size(), sum, whole.text());
    return inputs.brokenWith(
        whole, TableRule.PARTS, message, "the kinds and the whole come from different runs");
  }
}
