package io.slicewise.evidence.published;

import io.slicewise.base.units.Phrase;
import io.slicewise.evidence.published.TableRule.RuleResult;
import java.math.BigDecimal;
import java.util.List;
import java.util.Optional;

/** The agreement between two printed numbers. */
enum Agreement {
  /** Equal to the printed digits. */
  SAME,
  /**
   * Equal if one of them was rounded differently: the same number of digits, and only the last
   * differs.
   */
  ROUNDED,
  DIFFERENT;

  /** A difference of 3 standard errors is chance in one of 370 comparisons of two means. */
  private static final double ERRORS = 3;

  static Agreement of(Printed one, Printed other) {
    if (!one.span().meets(other.span())) {
      return DIFFERENT;
    }
    BigDecimal number = new BigDecimal(one.text().trim());
    BigDecimal again = new BigDecimal(other.text().trim());
    boolean likeDigits = one.unit().equals(other.unit()) && number.scale() == again.scale();
    if (!likeDigits || number.compareTo(again) == 0) {
      return SAME;
    }
    boolean exact = one.unit().equals("count") && !(one.runs() > 1) && !(other.runs() > 1);
    return exact ? DIFFERENT : ROUNDED;
  }

  /** Returns the number that agrees least with {@code one}; the last if there are several. */
  static Optional<Printed> worst(Printed one, List<Printed> others) {
    return others.stream().reduce((a, b) -> of(one, b).compareTo(of(one, a)) < 0 ? a : b);
  }

  /**
   * Checks the first of two numbers of the same quantity. Means of different numbers of runs are of
   * different samples: they agree within {@value #ERRORS} standard errors of their difference.
   */
  static RuleResult check(Printed one, Printed other) {
    if (one.runs() > 0 && other.runs() > 0 && one.runs() != other.runs()) {
      return ofOtherRuns(one, other);
    }
    String message =
        "%s: %s is %s here, and %s in %s"
            .formatted(
                one.subject(), one.line().text("metric"), one.text(), other.text(), other.where());
    return switch (of(one, other)) {
      case SAME -> RuleResult.sound(one, TableRule.PRINTED_TWICE);
      case ROUNDED ->
          RuleResult.doubted(
              one, TableRule.PRINTED_TWICE, message, "one of them was rounded wrongly");
      case DIFFERENT ->
          RuleResult.broken(
              one,
              TableRule.PRINTED_TWICE,
              message,
              "the two come from different runs under one name");
    };
  }

  private static RuleResult ofOtherRuns(Printed one, Printed other) {
    String runs = Phrase.of("means of %.0f and of %.0f runs", one.runs(), other.runs());
    if (of(one, other) == SAME) {
      return RuleResult.sound(one, TableRule.PRINTED_TWICE);
    }
    double error = standardError(one, other);
    if (Double.isNaN(error)) {
      return RuleResult.skipped(
          one, TableRule.PRINTED_TWICE, runs + ", and no deviation between runs is printed");
    }
    double errors = Math.abs(one.value() - other.value()) / error;
    return errors <= ERRORS
        ? RuleResult.sound(one, TableRule.PRINTED_TWICE)
        : RuleResult.doubted(
            one,
            TableRule.PRINTED_TWICE,
            Phrase.of(
                "%s: %s is %s here, and %s in %s: %s that differ by %.1f standard errors",
                one.subject(),
                one.line().text("metric"),
                one.text(),
                other.text(),
                other.where(),
                runs,
                errors),
            "the conditions of the two differed, or one was mistyped");
  }

  /** Of the difference of two means; a deviation that is not printed is taken to be the other's. */
  private static double standardError(Printed one, Printed other) {
    double first = one.deviation() > 0 ? one.deviation() : other.deviation();
    double second = other.deviation() > 0 ? other.deviation() : one.deviation();
    return first > 0
        ? Math.sqrt(first * first / one.runs() + second * second / other.runs())
        : Double.NaN;
  }
}
