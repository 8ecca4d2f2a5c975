package io.slicewise.stats;

import org.apache.commons.math3.distribution.NormalDistribution;

/**
 * The non-central t distribution of (Z + δ)/U: what a t statistic does when there is an effect. P(T
 * ≤ t) = E Φ(t·U − δ) over {@link ScatterRatio}.
 *
 * <p>Source: N. L. Johnson and B. L. Welch, <i>Applications of the non-central t-distribution</i>,
 * Biometrika 31 (1940).
 *
 * <p>Worked example: ν = 5, δ = 1: P(T ≤ 2) = 0.778075; at the level 0.05 an effect of δ = 3 is
 * shown with probability 0.672176.
 */
final class NoncentralT {
  private static final NormalDistribution NORMAL = new NormalDistribution(null, 0, 1);

  /** Beyond this, the normal distribution is negligible. */
  private static final double REACH = 9;

  private NoncentralT() {}

  static double cumulative(double t, double degreesOfFreedom, double noncentrality) {
    return new ScatterRatio(degreesOfFreedom)
        .average(
            u -> NORMAL.cumulativeProbability(t * u - noncentrality),
            (noncentrality - REACH) / t,
            noncentrality / t,
            (noncentrality + REACH) / t);
  }

  /** The probability that |T| exceeds the two-sided critical value of {@code level}. */
  static double power(double level, double degreesOfFreedom, double noncentrality) {
    double critical = StudentT.factor(1 - level, degreesOfFreedom);
    return cumulative(-critical, degreesOfFreedom, noncentrality)
        + cumulative(-critical, degreesOfFreedom, -noncentrality);
  }
}
