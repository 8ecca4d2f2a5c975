package io.slicewise.stats.table;

import io.slicewise.stats.Sample;
import java.util.Arrays;
import org.apache.commons.math3.stat.descriptive.rank.Percentile;
import org.apache.commons.math3.stat.descriptive.rank.Percentile.EstimationType;

/**
 * Finds cells of a two-way table that fit neither their row nor their column: medians of rows and
 * columns are subtracted in turn; what remains in a cell is its residual. Residuals beyond Q1 −
 * 3·IQR or Q3 + 3·IQR are far out.
 *
 * <p>Source: J. W. Tukey, <i>Exploratory Data Analysis</i> (1977), chapters 2 and 11; quartiles as
 * in {@link TukeyFences}.
 *
 * <p>Worked example: rows 1 2 3, 2 3 4 and 3 4 15: row medians 2, 3, 4 and column medians −1, 0, 1
 * leave only 10 in the last cell, where 5 would fit.
 */
public final class MedianPolish {
  private static final int ROUNDS = 10;
  private static final double FAR = 3;

  private final double[][] residuals;
  private final double low;
  private final double high;

  private MedianPolish(double[][] residuals, double low, double high) {
    this.residuals = residuals;
    this.low = low;
    this.high = high;
  }

  /** Polishes a table of rows of the same length; the table itself is not changed. */
  public static MedianPolish of(double[][] table) {
    double[][] left = new double[table.length][];
    for (int i = 0; i < table.length; i++) {
      left[i] = Sample.checked(table[i]).clone();
    }
    for (int round = 0; round < ROUNDS; round++) {
      rows(left);
      columns(left);
    }
    double[] all = Arrays.stream(left).flatMapToDouble(Arrays::stream).toArray();
    double first = quartile(25, all);
    double third = quartile(75, all);
    double reach = FAR * (third - first);
    return new MedianPolish(left, first - reach, third + reach);
  }

  /** The residual of a cell. */
  public double residual(int row, int column) {
    return residuals[row][column];
  }

  /** Whether the cell's residual is beyond the inner fences, 1.5·IQR from the quartiles. */
  public boolean isOutside(int row, int column) {
    double half = (high - low) * (FAR - 1.5) / (2 * FAR + 1);
    return residuals[row][column] < low + half || residuals[row][column] > high - half;
  }

  /** Whether the cell's residual is beyond the outer fences. */
  public boolean isFarOut(int row, int column) {
    return residuals[row][column] < low || residuals[row][column] > high;
  }

  private static void rows(double[][] table) {
    for (double[] row : table) {
      double median = quartile(50, row);
      for (int j = 0; j < row.length; j++) {
        row[j] -= median;
      }
    }
  }

  private static void columns(double[][] table) {
    for (int j = 0; j < table[0].length; j++) {
      double[] column = new double[table.length];
      for (int i = 0; i < table.length; i++) {
        column[i] = table[i][j];
      }
      double median = quartile(50, column);
      for (double[] row : table) {
        row[j] -= median;
      }
    }
  }

  private static double quartile(double percent, double[] values) {
    return new Percentile().withEstimationType(EstimationType.R_7).evaluate(values, percent);
  }
}
