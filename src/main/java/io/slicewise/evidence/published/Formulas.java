package io.slicewise.evidence.published;

import io.slicewise.base.units.Phrase;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
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
        Optional<Formula.Derived> derived = formula.of(number, inputs);
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

  private static RuleResult check(Printed number, Formula.Derived derived, Inputs inputs) {
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
}
