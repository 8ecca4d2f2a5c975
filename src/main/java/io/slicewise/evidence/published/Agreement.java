package io.slicewise.evidence.published;

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

  /** Checks the first of two numbers of the same quantity. */
  static RuleResult check(Printed one, Printed other) {
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
}
