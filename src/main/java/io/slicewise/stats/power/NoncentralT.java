package io.slicewise.stats.power;

import io.slicewise.stats.StudentT;
import java.util.Arrays;
import java.util.function.DoubleUnaryOperator;
import org.apache.commons.math3.analysis.integration.gauss.GaussIntegrator;
import org.apache.commons.math3.analysis.integration.gauss.GaussIntegratorFactory;
import org.apache.commons.math3.distribution.NormalDistribution;
import org.apache.commons.math3.special.Gamma;

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
public final class NoncentralT {
  private static final NormalDistribution NORMAL = new NormalDistribution(null, 0, 1);

  /** Beyond this, the normal distribution is negligible. */
  private static final double REACH = 9;

  private NoncentralT() {}

  public static double cumulative(double t, double degreesOfFreedom, double noncentrality) {
    return new ScatterRatio(degreesOfFreedom)
        .average(
            u -> NORMAL.cumulativeProbability(t * u - noncentrality),
            (noncentrality - REACH) / t,
            noncentrality / t,
            (noncentrality + REACH) / t);
  }

  /** The probability that |T| exceeds the two-sided critical value of {@code level}. */
  public static double power(double level, double degreesOfFreedom, double noncentrality) {
    double critical = StudentT.factor(1 - level, degreesOfFreedom);
    return cumulative(-critical, degreesOfFreedom, noncentrality)
        + cumulative(-critical, degreesOfFreedom, -noncentrality);
  }

  /**
   * The distribution of U = s/σ, the estimated scatter over the true one: ν·U² is χ² with ν degrees
   * of freedom. Density 2·(ν/2)^(ν/2) / Γ(ν/2) · u^(ν−1) · exp(−ν·u²/2). Student's t, the
   * non-central t and the multivariate t are all averages over it.
   *
   * <p>Source: C. W. Dunnett and M. Sobel, <i>A bivariate generalization of Student's
   * t-distribution</i>, Biometrika 41 (1954).
   *
   * <p>Worked example: ν = 5: E U = √(2/5)·Γ(3)/Γ(5/2) = 0.951533.
   */
  public static final class ScatterRatio {
    private static final double REACH = 9;
    private static final int PANELS = 3;

    private final double degreesOfFreedom;
    private final double logConstant;

    public ScatterRatio(double degreesOfFreedom) {
      this.degreesOfFreedom = degreesOfFreedom;
      double half = degreesOfFreedom / 2;
      this.logConstant = Math.log(2) + half * Math.log(half) - Gamma.logGamma(half);
    }

    /**
     * E f(U).
     *
     * @param bends where f turns from flat to steep or back, in any order; each piece between them
     *     is integrated separately, because a step between two nodes would be missed
     */
    public double average(DoubleUnaryOperator f, double... bends) {
      double spread = REACH / Math.sqrt(2 * degreesOfFreedom);
      double from = Math.max(0, 1 - spread);
      double end = 1 + spread;
      double sum = 0;
      double[] ascending = Arrays.copyOf(bends, bends.length + 1);
      ascending[bends.length] = end;
      Arrays.sort(ascending);
      for (double bend : ascending) {
        if (bend > from && bend <= end) {
          sum += GaussLegendre.integrate(u -> density(u) * f.applyAsDouble(u), from, bend, PANELS);
          from = bend;
        }
      }
      return sum;
    }

    private double density(double u) {
      return Math.exp(
          logConstant + (degreesOfFreedom - 1) * Math.log(u) - degreesOfFreedom * u * u / 2);
    }
  }

  /**
   * Integrals of smooth functions over a finite interval: panels of 20-point Gauss-Legendre.
   *
   * <p>Source: P. J. Davis and P. Rabinowitz, <i>Methods of Numerical Integration</i> (2nd ed.
   * 1984), section 2.7. Worked example: the sine from 0 to π gives 2.
   */
  public static final class GaussLegendre {
    private static final int POINTS = 20;
    private static final GaussIntegrator RULE =
        new GaussIntegratorFactory().legendre(POINTS, -1, 1);

    private GaussLegendre() {}

    public static double integrate(DoubleUnaryOperator f, double from, double to, int panels) {
      double half = (to - from) / panels / 2;
      double sum = 0;
      for (int panel = 0; panel < panels; panel++) {
        double middle = from + (2 * panel + 1) * half;
        for (int i = 0; i < POINTS; i++) {
          sum += RULE.getWeight(i) * f.applyAsDouble(middle + half * RULE.getPoint(i));
        }
      }
      return sum * half;
    }
  }
}
