package io.slicewise.published;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Formulas within one side of a case: counters that tell of each other, and totals. */
final class Counters {
  private static final Set<String> ALL_OF_THEM = Set.of("overall", "total", "sum");
  private static final double BLOCK_MEBIBYTES = 8.0 / 1024;

  private Counters() {}

  static List<Formula> formulas() {
    return List.of(
        Counters::wait, Counters::pagedIn, Counters::accessed, Counters::least, Counters::total);
  }

  /** Time spent reading / reads. */
  private static Optional<Formula.Derived> wait(Printed number, Numbers numbers) {
    if (!number.metric().equals("avgrdwait")) {
      return Optional.empty();
    }
    Optional<Printed> reads = numbers.beside(number, number.variant(), "r_total");
    return numbers
        .beside(number, number.variant(), "r_ms")
        .flatMap(
            time ->
                reads.map(
                    count ->
                        new Formula.Derived(
                            time.span().over(count.span()), time.text() + " / " + count.text())));
  }

  /** The kernel counts KiB paged in as half of the sectors that its block layer was asked for. */
  private static Optional<Formula.Derived> pagedIn(Printed number, Numbers numbers) {
    if (!number.metric().equals("pgpgin")) {
      return Optional.empty();
    }
    return numbers
        .beside(number, number.variant(), "r_sectors")
        .map(
            sectors ->
                new Formula.Derived(
                    sectors.span().times(0.5),
                    sectors.text() + " sectors / 2",
                    Math.abs(number.value() / sectors.value() - 1) < 0.01
                        ? "the kernel counted each request twice on its way through two block"
                            + " devices, or sectors stand in the place of KiB"
                        : "the two counters were not read at the same moment"));
  }

  /** Blocks of 8 KiB that a database had to read. */
  private static Optional<Formula.Derived> accessed(Printed number, Numbers numbers) {
    if (!number.metric().equals("data_accessed")) {
      return Optional.empty();
    }
    Optional<Printed> index = numbers.beside(number, number.variant(), "index_blocks_read");
    return numbers
        .beside(number, number.variant(), "heap_blocks_read")
        .flatMap(
            heap ->
                index.map(
                    other ->
                        new Formula.Derived(
                            heap.span().plus(other.span()).times(BLOCK_MEBIBYTES),
                            "(" + heap.text() + " + " + other.text() + ") blocks x 8 KiB")));
  }

  /** The smaller of two measures of interference. */
  private static Optional<Formula.Derived> least(Printed number, Numbers numbers) {
    if (!number.metric().equals("interference_ext")) {
      return Optional.empty();
    }
    Optional<Printed> wait = made(number, numbers, "interference_arw");
    return made(number, numbers, "interference_rps")
        .flatMap(
            reads ->
                wait.map(
                    other ->
                        new Formula.Derived(
                            new Span(
                                Math.min(reads.span().low(), other.span().low()),
                                Math.min(reads.span().high(), other.span().high())),
                            "min(" + reads.text() + ", " + other.text() + ")")));
  }

  private static Optional<Printed> made(Printed number, Numbers numbers, String metric) {
    List<Printed> found =
        numbers.all().stream()
            .filter(one -> one.metric().equals(metric) && one.keys().equals(number.keys()))
            .filter(one -> one.table().equals(number.table()))
            .toList();
    return found.size() == 1 ? Optional.of(found.get(0)) : Optional.empty();
  }

  /** A row named overall or total, where the table has the others. Percentages do not add up. */
  private static Optional<Formula.Derived> total(Printed number, Numbers numbers) {
    Optional<String> column =
        number.keys().entrySet().stream()
            .filter(key -> ALL_OF_THEM.contains(key.getValue().toLowerCase(Locale.ROOT)))
            .map(Map.Entry::getKey)
            .findFirst();
    if (column.isEmpty() || number.percent()) {
      return Optional.empty();
    }
    List<Printed> parts =
        numbers.all().stream()
            .filter(
                one -> !one.place().equals(number.place()) && one.table().equals(number.table()))
            .filter(
                one ->
                    one.metric().equals(number.metric()) && one.variant().equals(number.variant()))
            .filter(one -> sameBut(column.get(), one.keys(), number.keys()))
            .toList();
    return parts.stream()
        .map(Printed::span)
        .reduce(Span::plus)
        .map(sum -> new Formula.Derived(sum, "the sum of the " + parts.size() + " above"));
  }

  private static boolean sameBut(
      String column, Map<String, String> one, Map<String, String> other) {
    return one.keySet().equals(other.keySet())
        && one.entrySet().stream()
            .allMatch(
                key ->
                    key.getKey().equals(column) || key.getValue().equals(other.get(key.getKey())));
  }
}
