package io.slicewise.report.table;

import java.util.Locale;
import java.util.stream.DoubleStream;

/** Formats numbers with fixed digits; a dash if they could not be computed. */
public final class Numbers {
  public static final String UNKNOWN = "–";

  private Numbers() {}

  public static String fixed(double value, int digits) {
    return Double.isFinite(value)
        ? String.format(Locale.ROOT, "%." + digits + "f", value)
        : UNKNOWN;
  }

  /** Returns how many decimals show three digits of the smallest of these; at least two. */
  public static int decimals(DoubleStream values) {
    double least = values.map(Math::abs).filter(value -> value > 0).min().orElse(1);
    return Math.max(2, 2 - (int) Math.floor(Math.log10(least)));
  }

  /**
   * Returns {@code 127.6 ±5.2}, without the interval if there is none, or a dash without a mean;
   * from 10 on with one decimal at most.
   */
  public static String measured(Cell.Measured cell) {
    double mean = cell.estimate().mean() * cell.scale();
    double half = cell.estimate().halfWidth() * cell.scale();
    if (!Double.isFinite(mean)) {
      return UNKNOWN;
    }
    int digits = Math.abs(mean) < 10 ? cell.digits() : Math.min(cell.digits(), 1);
    String interval = Double.isFinite(half) ? fixed(half, digits) : UNKNOWN;
    return fixed(mean, digits) + " ±" + interval;
  }
}
