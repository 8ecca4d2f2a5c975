package io.slicewise.stats;

import java.util.Arrays;
import java.util.function.DoubleUnaryOperator;
import org.apache.commons.math3.special.Gamma;

/**
 * The distribution of U = s/σ, the estimated scatter over the true one: ν·U² is χ² with ν degrees
 * of freedom. Density 2·(ν/2)^(ν/2) / Γ(ν/2) · u^(ν−1) · exp(−ν·u²/2). Student's t, the non-central
 * t and the multivariate t are all averages over it.
 *
 * <p>Source: C. W. Dunnett and M. Sobel, <i>A bivariate generalization of Student's
 * t-distribution</i>, Biometrika 41 (1954).
 *
 * <p>Worked example: ν = 5: E U = √(2/5)·Γ(3)/Γ(5/2) = 0.951533.
 */
final class ScatterRatio {
  private static final double REACH = 9;
  private static final int PANELS = 3;

  private final double degreesOfFreedom;
  private final double logConstant;

  ScatterRatio(double degreesOfFreedom) {
    this.degreesOfFreedom = degreesOfFreedom;
    double half = degreesOfFreedom / 2;
    this.logConstant = Math.log(2) + half * Math.log(half) - Gamma.logGamma(half);
  }

  /**
   * E f(U).
   *
   * @param bends where f turns from flat to steep or back, in any order; each piece between them is
   *     integrated separately, because a step between two nodes would be missed
   */
  double average(DoubleUnaryOperator f, double... bends) {
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
