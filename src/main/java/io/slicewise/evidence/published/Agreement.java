package io.slicewise.evidence.published;

import java.math.BigDecimal;
import java.util.List;
import java.util.Optional;

/** The agreement between two printed numbers. */
enum Agreement {
  /** As far as they are printed. */
  SAME,
  /** Only if one of them was rounded otherwise: as many digits, and the last is not the same. */
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

  /** The last of some numbers that agrees least with another. */
  static Optional<Printed> worst(Printed one, List<Printed> others) {
    return others.stream().reduce((a, b) -> of(one, b).compareTo(of(one, a)) < 0 ? a : b);
  }

  /** What was found of the first of two numbers of one thing. */
  static Held held(Printed one, Printed other, String message) {
    return switch (of(one, other)) {
      case SAME -> Held.sound(one, TableRule.PRINTED_TWICE);
      case ROUNDED ->
          Held.doubted(one, TableRule.PRINTED_TWICE, message, "one of them was rounded wrongly");
      case DIFFERENT ->
          Held.broken(
              one,
              TableRule.PRINTED_TWICE,
              message,
              "the two come from different runs under one name");
    };
  }
}
