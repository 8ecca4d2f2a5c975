package io.slicewise.base.units;

import java.math.BigDecimal;
import java.math.MathContext;
import java.util.Locale;
import java.util.stream.DoubleStream;

/** Formats numbers; a dash if they could not be computed. */
public final class NumberText {
  public static final String UNKNOWN = "–";

  private NumberText() {}

  public static String fixed(double value, int digits) {
    return Double.isFinite(value)
        ? String.format(Locale.ROOT, "%." + digits + "f", value)
        : UNKNOWN;
  }

  /** Formats with one decimal below 100, and with none from there on. */
  public static String of(double value) {
    return fixed(value, Math.abs(value) < 100 ? 1 : 0);
  }

  /** Formats with a sign and one decimal; values that round to zero are {@code +0.0}. */
  public static String signed(double value) {
    if (!Double.isFinite(value)) {
      return UNKNOWN;
    }
    String text = Phrase.of("%+.1f", value);
    return text.equals("-0.0") ? "+0.0" : text;
  }

  /** Formats with as few digits as possible: {@code 2}, {@code 0.5}. */
  public static String plain(double value) {
    return BigDecimal.valueOf(value).round(new MathContext(6)).stripTrailingZeros().toPlainString();
  }

  /** Returns how many decimals show three digits of the smallest of these; at least two. */
  public static int decimals(DoubleStream values) {
    double least = values.map(Math::abs).filter(value -> value > 0).min().orElse(1);
    return Math.max(2, 2 - (int) Math.floor(Math.log10(least)));
  }
}
