package io.slicewise.tune;

import java.util.Comparator;
import java.util.List;
import org.apache.commons.math3.distribution.FDistribution;
import org.apache.commons.math3.linear.SingularMatrixException;
import org.apache.commons.math3.stat.regression.OLSMultipleLinearRegression;

/**
 * A quadratic surface of measured log effects over the logarithms of the knobs: θ = b₀ + Σ b_i·z_i
 * + Σ_{i≤j} b_ij·z_i·z_j by ordinary least squares.
 *
 * <p>Lack of fit: the mean square of the residuals against the squared standard error of an effect,
 * as an F of (points − coefficients, freedom of the error). A small p means that the surface is not
 * quadratic and its proposals are unreliable.
 *
 * <p>Source: G. E. P. Box and K. B. Wilson, <i>On the experimental attainment of optimum
 * conditions</i>, JRSS B 13 (1951).
 */
public final class ResponseSurface {
  private final double[] coefficients;
  private final double lackOfFit;

  private ResponseSurface(double[] coefficients, double lackOfFit) {
    this.coefficients = coefficients;
    this.lackOfFit = lackOfFit;
  }

  /**
   * Returns the number of points for a surface of that many knobs: one more than its coefficients.
   */
  public static int leastPoints(int knobs) {
    return (knobs + 1) * (knobs + 2) / 2 + 1;
  }

  /**
   * Fits a surface.
   *
   * @param points values of the knobs, positive
   * @param effects log effects, one per point
   * @param standardError of an effect, positive
   * @param freedom of the standard error
   * @throws IllegalArgumentException if there are too few points, or they are collinear or coplanar
   */
  public static ResponseSurface fit(
      List<List<Double>> points, double[] effects, double standardError, double freedom) {
    int knobs = points.get(0).size();
    if (points.size() < leastPoints(knobs)) {
      throw new IllegalArgumentException(
          "%d points for %d knobs, a surface needs %d"
              .formatted(points.size(), knobs, leastPoints(knobs)));
    }
    OLSMultipleLinearRegression regression = new OLSMultipleLinearRegression();
    regression.setNoIntercept(true);
    regression.newSampleData(
        effects, points.stream().map(ResponseSurface::terms).toArray(double[][]::new));
    try {
      double[] coefficients = regression.estimateRegressionParameters();
      int rest = points.size() - coefficients.length;
      double ratio = regression.estimateErrorVariance() / (standardError * standardError);
      double p = 1 - new FDistribution(null, rest, freedom).cumulativeProbability(ratio);
      return new ResponseSurface(coefficients, p);
    } catch (SingularMatrixException alike) {
      throw new IllegalArgumentException("the points do not span the space of the knobs", alike);
    }
  }

  /** Returns the p-value of "the surface is quadratic". */
  public double lackOfFit() {
    return lackOfFit;
  }

  /** Returns the predicted log effect at a point. */
  public double predict(List<Double> point) {
    double[] terms = terms(point);
    double sum = 0;
    for (int i = 0; i < terms.length; i++) {
      sum += coefficients[i] * terms[i];
    }
    return sum;
  }

  /**
   * Returns the unmeasured points with the best predictions, best first.
   *
   * @param pool valid points of the space
   */
  public List<List<Double>> propose(
      List<List<Double>> pool, List<List<Double>> measured, int atMost) {
    return pool.stream()
        .distinct()
        .filter(point -> !measured.contains(point))
        .sorted(Comparator.comparingDouble((List<Double> point) -> -predict(point)))
        .limit(atMost)
        .toList();
  }

  /** Returns 1, the logarithms, their squares and products. */
  private static double[] terms(List<Double> point) {
    int knobs = point.size();
    double[] terms = new double[(knobs + 1) * (knobs + 2) / 2];
    terms[0] = 1;
    int at = 1;
    for (int i = 0; i < knobs; i++) {
      terms[at++] = Math.log(point.get(i));
    }
    for (int i = 0; i < knobs; i++) {
      for (int j = i; j < knobs; j++) {
        terms[at++] = Math.log(point.get(i)) * Math.log(point.get(j));
      }
    }
    return terms;
  }
}
