package io.slicewise.evidence.published;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The numbers that a rule needs to judge one number. Remembers which of them were printed in
 * another table, where they may be of another experiment, and why one could not be found.
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

  /** Another number of the same case; the same table's, where it has one. */
  Optional<Printed> beside(String variant, String metric) {
    return chosen(
        numbers.of(number.keys(), variant, metric),
        metric + (variant.isEmpty() ? "" : " of " + variant));
  }

  /**
   * A number of the case that is named like this: of the same table's cases if one is, else of its
   * file's, else of all.
   *
   * @param family what the name has to begin with
   * @param called what such a case is called, for messages
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

  /** The number of the same table that fits. */
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

  /** Why a number that was asked for last is not known; empty when none was missing. */
  String missing() {
    return missing;
  }

  /** The other tables that numbers came from, for messages; empty when all are of the same one. */
  String elsewhere() {
    return used.stream()
        .filter(one -> !one.table().equals(number.table()))
        .map(Printed::where)
        .distinct()
        .collect(Collectors.joining(", "));
  }

  /** That the rule does not hold; in doubt when an input came from another table. */
  Held broken(TableRule rule, String message, String cause) {
    String elsewhere = elsewhere();
    return elsewhere.isEmpty()
        ? Held.broken(number, rule, message, cause)
        : Held.doubted(number, rule, message + "; inputs from " + elsewhere, cause);
  }

  /** That the rule does not hold of a number that may be of another table. */
  Held brokenWith(Printed other, TableRule rule, String message, String cause) {
    used.add(other);
    return broken(rule, message, cause);
  }

  /** That the rule may not hold. */
  Held doubted(TableRule rule, String message, String cause) {
    String elsewhere = elsewhere();
    String from = elsewhere.isEmpty() ? "" : "; inputs from " + elsewhere;
    return Held.doubted(number, rule, message + from, cause);
  }
}
