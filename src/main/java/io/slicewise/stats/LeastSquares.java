package io.slicewise.stats;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.apache.commons.math3.linear.MatrixUtils;
import org.apache.commons.math3.linear.QRDecomposition;
import org.apache.commons.math3.linear.RealMatrix;
import org.apache.commons.math3.linear.RealVector;

/**
 * An ordinary least-squares fit: coefficients and their standard errors s·√((XᵀX)⁻¹)_jj, with X =
 * QR and s² = residual squares / freedom.
 *
 * <p>Source: N. R. Draper and H. Smith, <i>Applied Regression Analysis</i> (3rd ed. 1998), chapter
 * 5; computed by Apache Commons Math.
 *
 * <p>Worked example: y 1, 2, 4 on x 1, 2, 3 without intercept: 17/14 = 1.214286, residual squares
 * 0.357143, with 2 degrees of freedom a standard error of 0.112938.
 */
record LeastSquares(List<Double> coefficients, List<Double> errors, int freedom) {
  private static final double SINGULAR = 1e-9;

  /**
   * Returns the fit; empty when the observations do not determine all coefficients and the scatter.
   *
   * @param taken degrees of freedom that were taken from the observations before
   */
  static Optional<LeastSquares> of(double[][] x, double[] y, int taken) {
    int columns = x.length == 0 ? 0 : x[0].length;
    int freedom = y.length - taken - columns;
    if (columns == 0 || freedom < 1) {
      return Optional.empty();
    }
    RealMatrix matrix = MatrixUtils.createRealMatrix(x);
    QRDecomposition parts = new QRDecomposition(matrix, SINGULAR);
    if (!parts.getSolver().isNonSingular()) {
      return Optional.empty();
    }
    RealVector observed = MatrixUtils.createRealVector(y);
    RealVector fitted = parts.getSolver().solve(observed);
    RealVector residuals = observed.subtract(matrix.operate(fitted));
    double scatter = Math.sqrt(residuals.dotProduct(residuals) / freedom);
    RealMatrix inverse =
        MatrixUtils.inverse(parts.getR().getSubMatrix(0, columns - 1, 0, columns - 1));
    double[] errors = new double[columns];
    Arrays.setAll(
        errors, j -> scatter * Math.sqrt(Arrays.stream(inverse.getRow(j)).map(w -> w * w).sum()));
    return Optional.of(
        new LeastSquares(
            Arrays.stream(fitted.toArray()).boxed().toList(),
            Arrays.stream(errors).boxed().toList(),
            freedom));
  }
}
