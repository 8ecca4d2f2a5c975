package io.slicewise.evidence.published;

import io.slicewise.base.units.Phrase;
import io.slicewise.evidence.published.Formulas.Formula.Derived;
import io.slicewise.evidence.published.TableRule.RuleResult;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.stream.Stream;

/** Checks every derived number against its formula. */
final class Formulas {
  private static final List<Formula> ALL =
      Stream.concat(Changes.formulas().stream(), Counters.formulas().stream()).toList();

  private Formulas() {}

  static List<RuleResult> check(PublishedNumbers numbers) {
    List<RuleResult> results = new ArrayList<>();
    for (Printed number : numbers.all()) {
      for (Formula formula : ALL) {
        Inputs inputs = new Inputs(number, numbers);
        Optional<Derived> derived = formula.of(number, inputs);
        if (derived.isPresent()) {
          results.add(check(number, derived.get(), inputs));
        } else if (!inputs.missing().isEmpty()) {
          results.add(
              RuleResult.skipped(
                  number,
                  TableRule.FORMULA,
                  number.line().text("metric") + ": " + inputs.missing()));
        }
      }
    }
    return results;
  }

  private static RuleResult check(Printed number, Derived derived, Inputs inputs) {
    if (derived.span().meets(number.span())) {
      return RuleResult.sound(number, TableRule.FORMULA);
    }
    String message =
        Phrase.of(
            "%s: %s is printed as %s, but %s = %s",
            number.subject(),
            number.line().text("metric"),
            number.text(),
            derived.how(),
            number.unit().startsWith("ms") ? derived.span().times(1e3) : derived.span());
    boolean signLost = derived.span().times(-1).meets(number.span());
    return inputs.broken(
        TableRule.FORMULA,
        message,
        signLost ? "the sign was lost: a rise was printed as a drop" : derived.cause());
  }

  /** Formulas within one side of a case: related counters, and totals. */
  private static final class Counters {
    private static final double BLOCK_MEBIBYTES = 8.0 / 1024;

    private Counters() {}

    static List<Formula> formulas() {
      return List.of(
          // Time spent reading / reads.
          Formula.named(
              "avgrdwait",
              (number, inputs) ->
                  Derived.both(
                      inputs.sameCase(number.variant(), "r_total"),
                      inputs.sameCase(number.variant(), "r_ms"),
                      (count, time) ->
                          new Derived(
                              time.span().over(count.span()), time.text() + " / " + count.text()))),
          // The kernel counts KiB paged in as half of the sectors requested from its block layer.
          Formula.named(
              "pgpgin",
              (number, inputs) ->
                  inputs
                      .sameCase(number.variant(), "r_sectors")
                      .map(
                          sectors ->
                              new Derived(
                                  sectors.span().times(0.5),
                                  sectors.text() + " sectors / 2",
                                  Math.abs(number.value() / sectors.value() - 1) < 0.01
                                      ? "the kernel counted each request twice, in two block"
                                          + " devices, or the unit is sectors instead of KiB"
                                      : "the two counters were not read at the same time"))),
          // Data read by a database, in blocks of 8 KiB.
          Formula.named(
              "data_accessed",
              (number, inputs) ->
                  Derived.both(
                      inputs.sameCase(number.variant(), "index_blocks_read"),
                      inputs.sameCase(number.variant(), "heap_blocks_read"),
                      (index, heap) ->
                          new Derived(
                              heap.span().plus(index.span()).times(BLOCK_MEBIBYTES),
                              "(" + heap.text() + " + " + index.text() + ") blocks x 8 KiB"))),
          // The smaller of two measures of interference.
          Formula.named(
              "interference_ext",
              (number, inputs) ->
                  Derived.both(
                      made(number, inputs, "interference_arw"),
                      made(number, inputs, "interference_rps"),
                      (wait, reads) ->
                          new Derived(
                              new Span(
                                  Math.min(reads.span().low(), wait.span().low()),
                                  Math.min(reads.span().high(), wait.span().high())),
                              "min(" + reads.text() + ", " + wait.text() + ")"))),
          Counters::total);
    }

    /** A measure may be printed for the guest, for the control domain, or for both. */
    private static Optional<Printed> made(Printed number, Inputs inputs, String metric) {
      return inputs.here(
          one -> one.metric().equals(metric) && one.keys().equals(number.keys()), metric);
    }

    /**
     * A row named overall or total, if the table has the other rows. Percentages are not added up.
     */
    private static Optional<Derived> total(Printed number, Inputs inputs) {
      Optional<String> column =
          number.keys().entrySet().stream()
              .filter(key -> Kinds.ALL_OF_THEM.contains(key.getValue().toLowerCase(Locale.ROOT)))
              .map(Map.Entry::getKey)
              .findFirst();
      if (column.isEmpty() || number.percent()) {
        return Optional.empty();
      }
      List<Printed> parts =
          inputs.table().stream()
              .filter(one -> !one.place().equals(number.place()))
              .filter(
                  one ->
                      one.metric().equals(number.metric())
                          && one.variant().equals(number.variant()))
              .filter(one -> number.sameBut(column.get(), one))
              .toList();
      return parts.stream()
          .map(Printed::span)
          .reduce(Span::plus)
          .map(sum -> new Derived(sum, "the sum of the " + parts.size() + " above"));
    }
  }

  /** A formula for a number of a table. */
  interface Formula {
    /**
     * The expected value of the number; empty if the formula does not apply, or if an input is
     * missing, which {@code inputs} then records.
     */
    Optional<Derived> of(Printed number, Inputs inputs);

    /** Returns the formula for the numbers of a metric alone. */
    static Formula named(String metric, Formula formula) {
      return (number, inputs) ->
          number.metric().equals(metric) ? formula.of(number, inputs) : Optional.empty();
    }

    /**
     * The expected value of a number.
     *
     * @param how the formula with its numbers, for messages
     * @param cause the likely cause of a wrong one
     */
    record Derived(Span span, String how, String cause) {
      static final String OTHERS =
          "it was computed from other numbers than the printed ones, or mistyped";

      Derived(Span span, String how) {
        this(span, how, OTHERS);
      }

      /** Returns what follows from two numbers; empty if one is missing. */
      static Optional<Derived> both(
          Optional<Printed> first,
          Optional<Printed> second,
          BiFunction<Printed, Printed, Derived> derived) {
        return first.flatMap(a -> second.map(b -> derived.apply(a, b)));
      }
    }
  }
}
