package io.slicewise.evidence.published;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * Counts by kind beside a count of all kinds: system calls by name in one table, all of them in
 * another. The kinds listed make no more than the whole, and their printed total is the whole.
 */
final class Kinds {
  static final Set<String> ALL_OF_THEM = Set.of("overall", "total", "sum", "all");

  private static final Set<String> ADDABLE = Set.of("count", "mb", "mib", "calls");

  private Kinds() {}

  /** A table's breakdown of one number. */
  private record Breakdown(Printed whole, Printed.Table table, String column) {}

  static List<Held> held(PublishedNumbers numbers) {
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
    List<Held> held = new ArrayList<>();
    breakdowns.forEach((of, parts) -> add(of, parts, numbers, held));
    return held;
  }

  private static Optional<Printed> whole(Printed part, String column, PublishedNumbers numbers) {
    Map<String, String> keys = new TreeMap<>(part.keys());
    keys.remove(column);
    return numbers.of(keys, part.variant(), part.metric()).stream()
        .filter(one -> one.unit().equals(part.unit()))
        .findFirst();
  }

  private static void add(
      Breakdown of, List<Printed> parts, PublishedNumbers numbers, List<Held> held) {
    List<Printed> totals = parts.stream().filter(one -> isTotal(one, of.column())).toList();
    List<Printed> kinds = parts.stream().filter(one -> !isTotal(one, of.column())).toList();
    totals.forEach(total -> held.add(total(total, of.whole())));
    if (kinds.size() > 1) {
      held.add(sum(kinds, new Inputs(kinds.get(0), numbers), of.whole()));
    }
  }

  private static boolean isTotal(Printed one, String column) {
    return ALL_OF_THEM.contains(one.keys().get(column).trim().toLowerCase(Locale.ROOT));
  }

  private static Held total(Printed total, Printed whole) {
    return Agreement.held(
        total,
        whole,
        "%s: %s is %s here, and %s in %s"
            .formatted(
                total.subject(),
                total.line().text("metric"),
                total.text(),
                whole.text(),
                whole.where()));
  }

  private static Held sum(List<Printed> kinds, Inputs inputs, Printed whole) {
    Printed first = kinds.get(0);
    Span sum = kinds.stream().map(Printed::span).reduce(Span::plus).orElseThrow();
    if (sum.low() <= whole.span().high()) {
      return Held.sound(first, TableRule.PARTS);
    }
    String message =
        "%s: %s of %d kinds add up to %s, more than all: %s"
            .formatted(
                whole.subject(), first.line().text("metric"), kinds.size(), sum, whole.text());
    return inputs.brokenWith(
        whole, TableRule.PARTS, message, "the kinds and the whole come from different runs");
  }
}
