package io.slicewise.stats;

import java.util.List;
import org.apache.commons.math3.stat.regression.OLSMultipleLinearRegression;

/**
 * Ordinary least squares without an intercept: y = Σ b_j x_j, where y is 0 if all x_j are 0. Errors
 * assume independent residuals of equal variance.
 *
 * <p>Source: N. R. Draper, H. Smith, <i>Applied Regression Analysis</i> (3rd ed. 1998), chapter 9.
 *
 * <p>Worked example: y = 2, 4.1, 5.9 for x = 1, 2, 3: b = 27.9 / 14 = 1.9929, standard error
 * 0.0277.
 */
public record OriginFit(List<Double> coefficients, List<Double> standardErrors) {
  public OriginFit {
    coefficients = List.copyOf(coefficients);
    standardErrors = List.copyOf(standardErrors);
  }

  /**
   * Fits {@code y} by the columns of {@code x}, one row per observation.
   *
   * @throws IllegalArgumentException if there are no more observations than columns
   */
  public static OriginFit of(double[] y, double[]... x) {
    OLSMultipleLinearRegression regression = new OLSMultipleLinearRegression();
    regression.setNoIntercept(true);
    regression.newSampleData(Sample.checked(y), x);
    return new OriginFit(
        boxed(regression.estimateRegressionParameters()),
        boxed(regression.estimateRegressionParametersStandardErrors()));
  }

  private static List<Double> boxed(double[] values) {
    return java.util.Arrays.stream(values).boxed().toList();
  }
}
