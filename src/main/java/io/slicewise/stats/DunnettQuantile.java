package io.slicewise.stats;

import java.util.Arrays;
import org.apache.commons.math3.analysis.solvers.BrentSolver;
import org.apache.commons.math3.distribution.NormalDistribution;

/**
 * The one-sided critical value for comparing several means with a control: the largest of the t
 * statistics is below d with the given probability. The statistics share the control's mean and the
 * scatter: corr(i, j) = λ_i·λ_j with λ_i² = n_i/(n_i + n_control), and given the common parts z and
 * u the statistics are independent:
 *
 * <p>P(max T ≤ d) = E_u G(d·u) with G(b) = ∫ φ(z)·Π Φ((b + λ_i·z)/√(1 − λ_i²)) dz, integrated
 * numerically; the critical value is accurate to 1e-9. It lies between Student's quantile of one
 * comparison and Bonferroni's of all.
 *
 * <p>Source: C. W. Dunnett, <i>A multiple comparison procedure for comparing several treatments
 * with a control</i>, JASA 50 (1955).
 *
 * <p>Worked example: two comparisons with equal numbers at 95 %: d = 2.440 with 5 degrees of
 * freedom, 2.108 with 12, 1.916 with very many; Dunnett's Table 1a prints 2.44, 2.11 and 1.92.
 */
final class DunnettQuantile {
  private static final NormalDistribution NORMAL = new NormalDistribution(null, 0, 1);
  private static final double ACCURACY = 1e-12;
  private static final int PANELS = 8;

  /** Beyond this, G is 1 and φ is negligible. */
  private static final double REACH = 9;

  /** Most of the distribution of U is below this, nearly all below {@link #REACH}. */
  private static final double BEND = 3;

  /**
   * Points that give G to 1e-12, even if the numbers of observations differ by a factor of thirty.
   */
  private static final int POINTS = 200;

  private final ScatterRatio scatter;
  private final Chebyshev givenScatter;

  private DunnettQuantile(double degreesOfFreedom, double... lambdas) {
    double[] ascending = lambdas.clone();
    Arrays.sort(ascending);
    this.scatter = new ScatterRatio(degreesOfFreedom);
    this.givenScatter = new Chebyshev(bound -> givenScatter(bound, ascending), 0, REACH, POINTS);
  }

  /**
   * The critical value.
   *
   * @param probability above one half
   * @param lambdas one per comparison, each in (0, 1); √½ for equal numbers
   */
  static double of(double probability, double degreesOfFreedom, double... lambdas) {
    double one = StudentT.quantile(probability, degreesOfFreedom);
    if (lambdas.length == 1) {
      return one;
    }
    double all = StudentT.quantile(1 - (1 - probability) / lambdas.length, degreesOfFreedom);
    DunnettQuantile quantile = new DunnettQuantile(degreesOfFreedom, lambdas);
    return new BrentSolver(ACCURACY, ACCURACY)
        .solve(100, d -> quantile.cumulative(d) - probability, one, all);
  }

  /** P(max T ≤ d). */
  private double cumulative(double d) {
    return scatter.average(u -> d * u < REACH ? givenScatter.at(d * u) : 1, BEND / d, REACH / d);
  }

  /**
   * @param ascending sorted, so that equal ones (the usual case) are computed once
   */
  private static double givenScatter(double bound, double[] ascending) {
    return GaussLegendre.integrate(
        z -> {
          double product = NORMAL.density(z);
          double previous = Double.NaN;
          double factor = 1;
          for (double lambda : ascending) {
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
