package io.slicewise.stats;

/**
 * The mean of independent observations with Student's t interval: x̄ ± t((1+c)/2; n−1)·s/√n, where
 * s is the sample deviation (divisor n − 1).
 *
 * <p>Source: "Student", <i>The probable error of a mean</i>, Biometrika 6 (1908). Exact for normal
 * observations; for skewed ones and small n it covers less ({@code docs/methods.md} has the
 * measured coverage; use {@link LogInterval}).
 *
 * <p>Worked example: 10, 12, 14 at 95 %: x̄ = 12, s = 2, t(0.975; 2) = 4.302653, half-width =
 * 4.302653 · 2 / √3 = 4.968275, so [7.031725, 16.968275].
 */
public final class StudentInterval {
  private StudentInterval() {}

  /**
   * The estimate; without an interval ({@code NaN}) for fewer than two observations.
   *
   * @param confidence between 0 and 1, e.g. 0.95
   * @throws IllegalArgumentException if an observation is not a finite number
   */
  public static Estimate of(double confidence, double... observations) {
    int n = Sample.checked(observations).length;
    double mean = Sample.mean(observations);
    double deviation = Sample.deviation(observations);
    double half = n < 2 ? Double.NaN : halfWidth(confidence, deviation, n);
    return new Estimate(mean, deviation, n, mean - half, mean + half, confidence);
  }

  /** t·s/√n for at least two observations, for tables that print only a deviation. */
  public static double halfWidth(double confidence, double deviation, int n) {
    return StudentT.factor(confidence, n - 1) * deviation / Math.sqrt(n);
  }
}
