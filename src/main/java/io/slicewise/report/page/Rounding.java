package io.slicewise.report.page;

import io.slicewise.stats.Estimate;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.List;

/** Rounds the page's data to the precision that is visible. */
final class Rounding {
  private static final MathContext ESTIMATES = new MathContext(7);
  private static final MathContext PIXELS = new MathContext(3);

  private Rounding() {}

  /** Seven digits. */
  static double exact(double value) {
    return rounded(value, ESTIMATES);
  }

  /** Three digits: a second in a series of seconds. */
  static double rough(double value) {
    return rounded(value, PIXELS);
  }

  private static double rounded(double value, MathContext digits) {
    return Double.isFinite(value) ? new BigDecimal(value).round(digits).doubleValue() : value;
  }

  /** Mean, deviation, n, and the interval's ends. */
  static List<Double> of(Estimate estimate) {
    return List.of(
        exact(estimate.mean()),
        exact(estimate.deviation()),
        (double) estimate.n(),
        exact(estimate.low()),
        exact(estimate.high()));
  }
}
