package io.slicewise.evidence.published;

import io.slicewise.base.units.Phrase;
import java.util.ArrayList;
import java.util.List;

/**
 * Compares repeated prints of the same quantity, and the durations of a run that counts and rates
 * imply.
 */
final class Repeats {
  private static final List<String> RATES = List.of("_per_second", "_per_s");
  private static final int FEWEST = 3;
  private static final String OTHERS = "the others' median is";

  private Repeats() {}

  /** Checks quantities that are printed in several tables. */
  static List<RuleResult> printedTwice(PublishedNumbers numbers) {
    List<RuleResult> results = new ArrayList<>();
    for (List<Printed> same : numbers.ofOneThing()) {
      for (int i = 0; i < same.size() - 1; i++) {
        Printed before = same.get(i);
        List<Printed> later =
            same.subList(i + 1, same.size()).stream()
                .filter(one -> one.percent() == before.percent())
                .toList();
        // The last print of a number is most likely the corrected one.
        Agreement.worst(before, later)
            .ifPresent(last -> results.add(Agreement.check(before, last)));
      }
    }
    return results;
  }

  /** A count, its rate, and the implied duration. */
  private record Counted(Printed rate, Printed count, Span seconds, Inputs inputs) {}

  /**
   * Compares durations with the running time if it is printed, otherwise with those of the other
   * counts.
   */
  static List<RuleResult> durations(PublishedNumbers numbers) {
    List<Counted> counted = new ArrayList<>();
    List<RuleResult> results = new ArrayList<>();
    for (Printed rate : numbers.all()) {
      Inputs inputs = new Inputs(rate, numbers);
      for (Printed count : counts(rate, inputs)) {
        Span seconds = count.span().over(rate.span());
        inputs
            .sameCase(rate.variant(), "runtime")
            .ifPresentOrElse(
                time ->
                    results.add(check(inputs, rate, count, seconds, time.span(), "the run took")),
                () -> counted.add(new Counted(rate, count, seconds, inputs)));
      }
    }
    for (Counted one : counted) {
      double[] others =
          counted.stream()
              .filter(c -> c.rate().table().file().equals(one.rate().table().file()))
              .mapToDouble(c -> c.seconds().middle())
              .sorted()
              .toArray();
      if (others.length >= FEWEST) {
        double usual = others[others.length / 2];
        Span span = new Span(usual, usual).widened(usual * 1e-3);
        results.add(check(one.inputs(), one.rate(), one.count(), one.seconds(), span, OTHERS));
      }
    }
    return results;
  }

  private static List<Printed> counts(Printed rate, Inputs inputs) {
    return RATES.stream()
        .filter(ending -> rate.metric().endsWith(ending))
        .map(ending -> rate.metric().substring(0, rate.metric().length() - ending.length()))
        .map(of -> of.equals("reads") ? "r_total" : of)
        .flatMap(of -> inputs.sameCase(rate.variant(), of).stream())
        .toList();
  }

  private static RuleResult check(
      Inputs inputs, Printed rate, Printed count, Span seconds, Span expected, String against) {
    return seconds.meets(expected)
        ? RuleResult.sound(rate, TableRule.DURATION)
        : inputs.broken(
            TableRule.DURATION,
            Phrase.of(
                "%s: %s / %s per s = %s s, but %s %s",
                rate.subject(), count.text(), rate.text(), seconds, against, expected),
            "count and rate come from different runs, or one was mistyped");
  }
}
