package io.slicewise.stats;

import org.apache.commons.math3.analysis.solvers.BrentSolver;
import org.apache.commons.math3.distribution.NormalDistribution;

/**
 * The one-sided critical value of comparing several means with one of them: the d for which the
 * largest of the t statistics stays below d with that probability. The statistics share the
 * control's mean and the scatter: corr(i, j) = λ_i·λ_j with λ_i² = n_i/(n_i + n_control), and given
 * the common parts z and u the statistics are independent:
 *
 * <p>P(max T ≤ d) = E_u ∫ φ(z)·Π Φ((d·u + λ_i·z)/√(1 − λ_i²)) dz, integrated numerically to about
 * 1e-10.
 *
 * <p>Source: C. W. Dunnett, <i>A multiple comparison procedure for comparing several treatments
 * with a control</i>, JASA 50 (1955).
 *
 * <p>Worked example: two comparisons with equal numbers at 95 %: d = 2.440 with 5 degrees of
 * freedom, 2.108 with 12, 1.916 with very many; Dunnett's Table 1a prints 2.44, 2.11 and 1.92.
 */
final class DunnettQuantile {
  private static final NormalDistribution NORMAL = new NormalDistribution(null, 0, 1);
  private static final double REACH = 9;
  private static final int PANELS = 4;
  private static final double ACCURACY = 1e-10;

  private DunnettQuantile() {}

  /**
   * The critical value.
   *
   * @param lambdas one a comparison, each in (0, 1); √½ for equal numbers
   */
  static double of(double probability, double degreesOfFreedom, double... lambdas) {
    if (lambdas.length == 1) {
      return StudentT.quantile(probability, degreesOfFreedom);
    }
    double most = 2;
    while (cumulative(most, degreesOfFreedom, lambdas) < probability) {
      most *= 2;
    }
    return new BrentSolver(ACCURACY, ACCURACY)
        .solve(100, d -> cumulative(d, degreesOfFreedom, lambdas) - probability, 0, most);
  }

  /** P(max T ≤ d). */
  static double cumulative(double d, double degreesOfFreedom, double... lambdas) {
    return new ScatterRatio(degreesOfFreedom).average(u -> givenScatter(d * u, lambdas));
  }

  private static double givenScatter(double bound, double[] lambdas) {
    return GaussLegendre.integrate(
        z -> {
          double product = NORMAL.density(z);
          double previous = Double.NaN;
          double factor = 1;
          for (double lambda : lambdas) {
            if (lambda != previous) {
              factor =
                  NORMAL.cumulativeProbability(
                      (bound + lambda * z) / Math.sqrt(1 - lambda * lambda));
              previous = lambda;
            }
            product *= factor;
          }
          return product;
        },
        -REACH,
        REACH,
        PANELS);
  }
}
