package io.slicewise.stats.capacity;

import org.apache.commons.math3.fitting.leastsquares.LeastSquaresBuilder;
import org.apache.commons.math3.fitting.leastsquares.LeastSquaresOptimizer.Optimum;
import org.apache.commons.math3.fitting.leastsquares.LevenbergMarquardtOptimizer;
import org.apache.commons.math3.linear.Array2DRowRealMatrix;
import org.apache.commons.math3.linear.ArrayRealVector;
import org.apache.commons.math3.linear.RealMatrix;
import org.apache.commons.math3.linear.RealVector;
import org.apache.commons.math3.util.Pair;

/**
 * The Universal Scalability Law: X(N) = γN / (1 + α(N − 1) + βN(N − 1)), fitted by least squares of
 * X with α and β not below 0. The rate is highest at N* = √((1 − α) / β).
 *
 * <p>Source: N. J. Gunther, <i>Guerrilla Capacity Planning</i> (2007), chapters 4 to 6; the fit of
 * three coefficients is that of R's package usl from version 2 on.
 *
 * <p>Worked example: 1, 1.8868, 3.0769, 3.5294, 3.5398, 3.3557 at N = 1, 2, 4, 6, 8, 10: α = β =
 * 0.02, γ = 1, N* = 7.
 *
 * @param alpha contention: the part of the work that is done one by one
 * @param beta coherency: the cost of exchange between each two
 * @param gamma the rate at N = 1
 */
public record ScalabilityLaw(double alpha, double beta, double gamma) {
  private static final int STEPS = 10_000;
  private static final double PRECISION = 1e-14;

  /**
   * Fits the law.
   *
   * @param sizes N of each observation, above 0
   * @param rates X of each
   * @throws IllegalArgumentException if there are fewer than three observations
   */
  public static ScalabilityLaw fit(double[] sizes, double[] rates) {
    if (sizes.length < 3) {
      throw new IllegalArgumentException(
          "the law has three coefficients, so it needs three observations, not " + sizes.length);
    }
    ScalabilityLaw free = fit(sizes, rates, true, true);
    if (free.alpha >= 0 && free.beta >= 0) {
      return free;
    }
    // The best fit is on an edge of what is allowed: the better of both, or their corner.
    ScalabilityLaw best = new ScalabilityLaw(0, 0, slope(sizes, rates));
    for (boolean contention : new boolean[] {true, false}) {
      ScalabilityLaw edge = fit(sizes, rates, contention, !contention);
      if (edge.alpha >= 0
          && edge.beta >= 0
          && edge.squares(sizes, rates) < best.squares(sizes, rates)) {
        best = edge;
      }
    }
    return best;
  }

  private static double slope(double[] sizes, double[] rates) {
    double products = 0;
    double squares = 0;
    for (int i = 0; i < sizes.length; i++) {
      products += sizes[i] * rates[i];
      squares += sizes[i] * sizes[i];
    }
    return products / squares;
  }

  private static ScalabilityLaw fit(
      double[] sizes, double[] rates, boolean contention, boolean coherency) {
    double[] start = {0.01, 0.0001, rates[0] / sizes[0]};
    Optimum optimum =
        new LevenbergMarquardtOptimizer()
            .withCostRelativeTolerance(PRECISION)
            .withParameterRelativeTolerance(PRECISION)
            .optimize(
                new LeastSquaresBuilder()
                    .start(start)
                    .target(rates)
                    .maxEvaluations(STEPS)
                    .maxIterations(STEPS)
                    .model(
                        point -> {
                          ScalabilityLaw law =
                              new ScalabilityLaw(
                                  contention ? point.getEntry(0) : 0,
                                  coherency ? point.getEntry(1) : 0,
                                  point.getEntry(2));
                          return law.modelled(sizes, contention, coherency);
                        })
                    .build());
    double[] found = optimum.getPoint().toArray();
    return new ScalabilityLaw(contention ? found[0] : 0, coherency ? found[1] : 0, found[2]);
  }

  /** Returns the rates and their derivatives by the coefficients that are free. */
  private Pair<RealVector, RealMatrix> modelled(
      double[] sizes, boolean contention, boolean coherency) {
    double[] rates = new double[sizes.length];
    double[][] slopes = new double[sizes.length][3];
    for (int i = 0; i < sizes.length; i++) {
      double n = sizes[i];
      double cost = cost(n);
      rates[i] = gamma * n / cost;
      slopes[i][0] = contention ? -rates[i] * (n - 1) / cost : 0;
      slopes[i][1] = coherency ? -rates[i] * n * (n - 1) / cost : 0;
      slopes[i][2] = n / cost;
    }
    return new Pair<>(new ArrayRealVector(rates), new Array2DRowRealMatrix(slopes));
  }

  private double cost(double size) {
    return 1 + alpha * (size - 1) + beta * size * (size - 1);
  }

  private double squares(double[] sizes, double[] rates) {
    double sum = 0;
    for (int i = 0; i < sizes.length; i++) {
      double rest = rates[i] - rate(sizes[i]);
      sum += rest * rest;
    }
    return sum;
  }

  /** Returns the rate at a size. */
  public double rate(double size) {
    return gamma * size / cost(size);
  }

  /** Returns the size of the highest rate; infinite if it never falls. */
  public double peak() {
    return beta == 0 ? Double.POSITIVE_INFINITY : Math.sqrt((1 - alpha) / beta);
  }
}
