package io.slicewise.evidence.published;

import java.math.BigDecimal;
import java.util.Locale;

/**
 * The range of values that a printed number may represent: plus or minus half of its last digit.
 * Results computed from spans include every value that the original numbers could give.
 *
 * <p>Worked example: 0.12 and 0.17 represent 0.115 to 0.125 and 0.165 to 0.175; the second is 32 to
 * 52 % more than the first.
 */
record Span(double low, double high) {
  private static final double LAST_BIT = 1e-9;

  /**
   * Returns the span of a printed number.
   *
   * @throws NumberFormatException if it is not a number
   */
  static Span of(String printed) {
    BigDecimal number = new BigDecimal(printed.trim());
    double half = 0.5 * Math.pow(10, -Math.max(0, number.scale()));
    return new Span(number.doubleValue() - half, number.doubleValue() + half);
  }

  double middle() {
    return (low + high) / 2;
  }

  Span plus(Span other) {
    return new Span(low + other.low, high + other.high);
  }

  Span minus(Span other) {
    return new Span(low - other.high, high - other.low);
  }

  Span times(double factor) {
    return factor < 0
        ? new Span(factor * high, factor * low)
        : new Span(factor * low, factor * high);
  }

  /** The quotient of two non-negative numbers; unbounded if the second may be zero. */
  Span over(Span other) {
    return other.low <= 0
        ? new Span(Double.NEGATIVE_INFINITY, Double.POSITIVE_INFINITY)
        : new Span(Math.max(0, low) / other.high, high / other.low);
  }

  Span widened(double by) {
    return new Span(low - by, high + by);
  }

  /** Whether both may represent the same value. */
  boolean meets(Span other) {
    return low <= blurred(other.high) && other.low <= blurred(high);
  }

  private static double blurred(double end) {
    return end + LAST_BIT * (1 + Math.abs(end));
  }

  /** The middle with about four digits, and the ends if they differ. */
  @Override
  public String toString() {
    int digits = (int) Math.max(0, 3 - Math.floor(Math.log10(Math.max(1e-3, Math.abs(middle())))));
    String form = "%." + Math.min(digits, 4) + "f";
    String middle = text(form, middle());
    String from = text(form, low);
    String to = text(form, high);
    return from.equals(to) ? middle : middle + " (" + from + " to " + to + ")";
  }

  private static String text(String form, double value) {
    // Avoids a negative zero after rounding.
    return String.format(Locale.ROOT, form, value).replaceFirst("^-(0\\.?0*)$", "$1");
  }
}
