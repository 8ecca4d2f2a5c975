package io.slicewise.stats.table;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.commons.math3.linear.EigenDecomposition;
import org.apache.commons.math3.linear.MatrixUtils;
import org.apache.commons.math3.linear.RealMatrix;

/**
 * A two-way layout, complete or not: each observation belongs to one row (a cell of the sweep) and
 * one column (a block).
 *
 * <p>Residuals of the additive least-squares fit. With the means of one side's groups taken off,
 * the effects b of the other side solve (diag(n_j) − Σ_i n_ij·n_ik/n_i)·b = sums of what is left by
 * j, n_ij being how many observations group i has in group j; the means of the rest complete the
 * fit. The matrix loses one rank for each connected part of the layout; its generalized inverse
 * works for any layout, and the choice of solution does not change the residuals.
 *
 * <p>Source: S. R. Searle, <i>Linear Models</i> (1971), section 7.1.
 *
 * <p>Worked example: rows 1, 4 and 2, 7 in two columns: row means 2.5 and 4.5 leave −1.5, 1.5 and
 * −2.5, 2.5, column means ∓2 leave 0.5, −0.5 and −0.5, 0.5; the rank is 3.
 */
public final class TwoWay {
  /**
   * An eigenvalue below this share of the largest number of a group is zero apart from rounding.
   */
  private static final double NOTHING = 1e-10;

  private final List<List<Integer>> many;
  private final List<List<Integer>> few;
  private final RealMatrix inverse;
  private final int rank;

  public TwoWay(int[] rows, int[] columns) {
    boolean fewColumns = places(columns).size() <= places(rows).size();
    this.many = places(fewColumns ? rows : columns);
    this.few = places(fewColumns ? columns : rows);
    EigenDecomposition parts =
        new EigenDecomposition(
            MatrixUtils.createRealMatrix(
                fewGivenMany(many, few.size(), fewColumns ? columns : rows)));
    double least = NOTHING * few.stream().mapToInt(List::size).max().orElse(0);
    double[] inverted =
        Arrays.stream(parts.getRealEigenvalues()).map(x -> x > least ? 1 / x : 0).toArray();
    this.inverse =
        parts
            .getV()
            .multiply(MatrixUtils.createRealDiagonalMatrix(inverted))
            .multiply(parts.getVT());
    this.rank =
        (int) many.stream().filter(group -> !group.isEmpty()).count()
            + (int) Arrays.stream(inverted).filter(x -> x > 0).count();
  }

  /** The rank of the fit: rows + columns, minus one for each connected part. */
  public int rank() {
    return rank;
  }

  /** The part of the values that rows and columns do not explain. */
  public double[] residuals(double[] values) {
    double[] left = values.clone();
    takeMeans(left);
    double[] sums = few.stream().mapToDouble(group -> sum(left, group)).toArray();
    double[] effects = inverse.operate(sums);
    for (int j = 0; j < effects.length; j++) {
      for (int i : few.get(j)) {
        left[i] -= effects[j];
      }
    }
    takeMeans(left);
    return left;
  }

  /** The positions of each number that occurs, by number. */
  static List<List<Integer>> places(int[] numbers) {
    List<List<Integer>> places = new ArrayList<>();
    for (int i = 0; i < numbers.length; i++) {
      while (places.size() <= numbers[i]) {
        places.add(new ArrayList<>());
      }
      places.get(numbers[i]).add(i);
    }
    return places;
  }

  private static double[][] fewGivenMany(List<List<Integer>> many, int size, int[] few) {
    double[][] matrix = new double[size][size];
    for (int place : few) {
      matrix[place][place]++;
    }
    for (List<Integer> group : many) {
      for (int one : group) {
        for (int other : group) {
          matrix[few[one]][few[other]] -= 1.0 / group.size();
        }
      }
    }
    return matrix;
  }

  private void takeMeans(double[] values) {
    for (List<Integer> group : many) {
      double mean = sum(values, group) / group.size();
      group.forEach(i -> values[i] -= mean);
    }
  }

  private static double sum(double[] values, List<Integer> group) {
    return group.stream().mapToDouble(i -> values[i]).sum();
  }
}
