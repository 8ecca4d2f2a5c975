package io.slicewise.evidence.published;

import io.slicewise.base.units.Phrase;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * Checks shares of CPU time as printed by vmstat and similar tools: {@code cpu_user}, {@code
 * cpu_sys}, {@code cpu_idle}, {@code cpu_iowait}, … in percent, or without {@code cpu_}. Their sum
 * never exceeds 100 %; with user, system and idle it is 100 %.
 */
final class CpuShares {
  private static final Map<String, String> NAMES = names();
  private static final Set<String> WHOLE = Set.of("user", "sys", "idle");

  private CpuShares() {}

  private static Map<String, String> names() {
    Map<String, String> names = new TreeMap<>();
    for (String name :
        List.of("user", "sys", "idle", "iowait", "steal", "nice", "irq", "softirq")) {
      names.put(name, name);
      names.put("cpu_" + name, name);
    }
    names.putAll(Map.of("us", "user", "sy", "sys", "id", "idle", "wa", "iowait", "st", "steal"));
    names.put("cpu_system", "sys");
    return names;
  }

  private record Case(Printed.Table table, Map<String, String> keys, String variant) {}

  static List<RuleResult> check(PublishedNumbers numbers) {
    Map<Case, List<Printed>> cases = new java.util.LinkedHashMap<>();
    for (Printed number : numbers.all()) {
      boolean change = "drop".equalsIgnoreCase(number.keys().get("experiment"));
      if (number.percent() && NAMES.containsKey(number.metric()) && !change) {
        cases
            .computeIfAbsent(
                new Case(number.table(), number.keys(), number.variant()), of -> new ArrayList<>())
            .add(number);
      }
    }
    return cases.values().stream().flatMap(shares -> check(shares).stream()).toList();
  }

  private static Optional<RuleResult> check(List<Printed> shares) {
    Set<String> names = new HashSet<>();
    shares.forEach(share -> names.add(NAMES.get(share.metric())));
    Printed first = shares.get(0);
    if (shares.size() < 2 || names.size() < shares.size()) {
      return Optional.empty();
    }
    Span sum = shares.stream().map(Printed::span).reduce(Span::plus).orElseThrow();
    boolean whole = names.containsAll(WHOLE);
    boolean fits = whole ? sum.meets(new Span(100, 100)) : sum.low() <= 100;
    if (fits) {
      return Optional.of(RuleResult.sound(first, TableRule.PARTS));
    }
    String message =
        Phrase.of(
            "%s: %s = %.1f %%",
            first.subject(),
            String.join(" + ", shares.stream().map(s -> s.line().text("metric")).toList()),
            sum.middle());
    return Optional.of(
        RuleResult.broken(
            first,
            TableRule.PARTS,
            message,
            sum.middle() > 100
                ? "the shares are from different times, or of more than one CPU"
                : "a share is missing, usually steal time, or they are from different times"));
  }
}
