package io.slicewise.stats;

import org.apache.commons.math3.distribution.TDistribution;

/**
 * Student's t distribution, accurate to 1e-9.
 *
 * <p>Source: Student, <i>The probable error of a mean</i>, Biometrika 6 (1908); computed by Apache
 * Commons Math.
 *
 * <p>Worked example: t(0.975; 2) = 4.302653, P(T ≤ 1; 2) = 0.788675.
 */
public final class StudentT {
  private static final double ACCURACY = 1e-13;

  private StudentT() {}

  /** The quantile t(p; df). */
  static double quantile(double p, double degreesOfFreedom) {
    return new TDistribution(null, degreesOfFreedom, ACCURACY).inverseCumulativeProbability(p);
  }

  /** The two-sided factor of an interval: t((1 + confidence) / 2; df). */
  public static double factor(double confidence, double degreesOfFreedom) {
    return quantile((1 + Sample.checkedConfidence(confidence)) / 2, degreesOfFreedom);
  }

  /** P(T ≤ t). */
  public static double cumulative(double t, double degreesOfFreedom) {
    return new TDistribution(null, degreesOfFreedom).cumulativeProbability(t);
  }

  /** P(|T| ≥ |t|), without the cancellation of 1 − P. */
  public static double twoSided(double t, double degreesOfFreedom) {
    return 2 * cumulative(-Math.abs(t), degreesOfFreedom);
  }
}
