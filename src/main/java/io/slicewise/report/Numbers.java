package io.slicewise.report;

import java.util.Locale;

/** Numbers on screens: fixed digits, and a dash for what could not be computed. */
final class Numbers {
  static final String UNKNOWN = "–";

  private Numbers() {}

  static String fixed(double value, int digits) {
    return Double.isFinite(value)
        ? String.format(Locale.ROOT, "%." + digits + "f", value)
        : UNKNOWN;
  }

  /** {@code 127.6 ±5.2}; without the interval when there is none, a dash when there is no mean. */
  static String measured(Cell.Measured cell) {
    double mean = cell.estimate().mean() * cell.scale();
    double half = cell.estimate().halfWidth() * cell.scale();
    if (!Double.isFinite(mean)) {
      return UNKNOWN;
    }
    String interval = Double.isFinite(half) ? fixed(half, cell.digits()) : UNKNOWN;
    return fixed(mean, cell.digits()) + " ±" + interval;
  }
}
