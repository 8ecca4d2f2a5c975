package io.slicewise.evidence.published;

import io.slicewise.evidence.published.TableRule.RuleResult;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The numbers that a rule needs to check one number. Records which of them come from other tables,
 * where they may belong to another experiment, and why one could not be found.
 */
final class Inputs {
  private static final String EXPERIMENT = "experiment";

  private final Printed number;
  private final PublishedNumbers numbers;
  private final Set<Printed> used = new LinkedHashSet<>();
  private String missing = "";

  Inputs(Printed number, PublishedNumbers numbers) {
    this.number = number;
    this.numbers = numbers;
  }

  /** Another number of the same case, from the same table if possible. */
  Optional<Printed> sameCase(String variant, String metric) {
    return chosen(
        numbers.of(number.keys(), variant, metric),
        metric + (variant.isEmpty() ? "" : " of " + variant));
  }

  /**
   * A number of a case whose name matches: from the same table if possible, otherwise the same
   * file, otherwise any.
   *
   * @param family the required start of the name
   * @param called the description of such a case, for messages
   */
  Optional<Printed> other(
      String variant, String metric, Pattern name, String family, String called) {
    List<Printed> cases =
        numbers.all().stream()
            .filter(one -> one.metric().equals(metric) && one.variant().equals(variant))
            .filter(one -> number.sameBut(EXPERIMENT, one))
            .filter(one -> belongs(one.experiment(), family))
            .filter(one -> name.matcher(one.experiment()).matches())
            .toList();
    return chosen(cases, metric + " " + called);
  }

  /** All numbers of the same table. */
  List<Printed> table() {
    return numbers.all().stream().filter(one -> one.table().equals(number.table())).toList();
  }

  /** The matching number of the same table. */
  Optional<Printed> here(Predicate<Printed> wanted, String what) {
    return chosen(table().stream().filter(wanted).toList(), what);
  }

  private static boolean belongs(String experiment, String family) {
    return experiment.startsWith(family)
        && (experiment.length() == family.length()
            || family.isEmpty()
            || !Character.isLetterOrDigit(experiment.charAt(family.length())));
  }

  private Optional<Printed> chosen(List<Printed> candidates, String what) {
    List<Printed> nearest = nearest(candidates);
    if (nearest.isEmpty()) {
      missing = what + " is not printed";
      return Optional.empty();
    }
    Printed first = nearest.get(0);
    if (nearest.stream().anyMatch(one -> !one.span().equals(first.span()))) {
      missing = what + " has several values: " + listed(nearest);
      return Optional.empty();
    }
    used.add(first);
    return Optional.of(first);
  }

  private List<Printed> nearest(List<Printed> candidates) {
    return Stream.<Predicate<Printed>>of(
            one -> one.table().equals(number.table()),
            one -> one.table().file().equals(number.table().file()),
            one -> true)
        .map(where -> candidates.stream().filter(where).toList())
        .filter(there -> !there.isEmpty())
        .findFirst()
        .orElse(List.of());
  }

  private static String listed(List<Printed> several) {
    return several.stream()
        .map(one -> "%s (%s, %s)".formatted(one.text(), one.subject(), one.where()))
        .collect(Collectors.joining(", "));
  }

  /** Why the last requested number is unknown; empty if none was missing. */
  String missing() {
    return missing;
  }

  /** The other tables with inputs, for messages; empty if all come from the same one. */
  String elsewhere() {
    return used.stream()
        .filter(one -> !one.table().equals(number.table()))
        .map(Printed::where)
        .distinct()
        .collect(Collectors.joining(", "));
  }

  /** Reports that the rule is violated; as a doubt if an input came from another table. */
  RuleResult broken(TableRule rule, String message, String cause) {
    String elsewhere = elsewhere();
    return elsewhere.isEmpty()
        ? RuleResult.broken(number, rule, message, cause)
        : RuleResult.doubted(number, rule, message + "; inputs from " + elsewhere, cause);
  }

  /** Reports that the rule is violated, for a number that may come from another table. */
  RuleResult brokenWith(Printed other, TableRule rule, String message, String cause) {
    used.add(other);
    return broken(rule, message, cause);
  }

  /** Reports that the rule may be violated. */
  RuleResult doubted(TableRule rule, String message, String cause) {
    String elsewhere = elsewhere();
    String from = elsewhere.isEmpty() ? "" : "; inputs from " + elsewhere;
    return RuleResult.doubted(number, rule, message + from, cause);
  }
}
