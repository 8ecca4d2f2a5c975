package io.slicewise.stats.table;

import io.slicewise.stats.Sample;
import io.slicewise.stats.StudentT;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/**
 * Tests whether a host drifts while a sweep runs: slope and lag-1 autocorrelation of the residuals
 * against run order, each with its p.
 *
 * <p>The residuals are those of the least-squares fit of ln x on cells, and on blocks where trials
 * ran in blocks: what slows a whole block cancels in every comparison within it, so it is not
 * drift. The fit also includes run order, which gives the slope; a cell that happens to run late is
 * therefore not mistaken for drift; its test is t with N − rank − 1 degrees of freedom. The
 * autocorrelation r₁ = Σ e_i·e_{i+1} / Σ e_i² is judged by shuffling the residuals 4,999 times with
 * a fixed seed: within blocks, which is how the order was drawn, and within cells where there are
 * no blocks; under "order does not matter" each such order is equally likely.
 *
 * <p>Source: R. Frisch and F. V. Waugh, <i>Partial time regressions as compared with individual
 * trends</i>, Econometrica 1 (1933); M. D. Ernst, <i>Permutation methods</i>, Statistical Science
 * 19 (2004).
 *
 * <p>Worked example: one cell with logs 1, 2, 3, 5: residuals −1.75, −0.75, 0.25, 2.25, slope 1.3 a
 * trial, r₁ = (1.3125 − 0.1875 + 0.5625) / 8.75 = 0.192857.
 *
 * @param slope change of ln x per trial; {@code NaN} if it cannot be estimated
 * @param slopeP two-sided p of "no slope"
 * @param largest the larger end of the 95 % interval of the slope, without its sign
 * @param lagOne autocorrelation of neighbours in the run order
 * @param lagOneP two-sided p of "order does not matter"
 */
public record OrderDrift(
    double slope, double slopeP, double largest, double lagOne, double lagOneP, int n) {
  private static final double LEVEL = 0.95;
  private static final int SHUFFLES = 4_999;

  /** Residuals of logarithms below 1e-12 are rounding: the observations of each cell are equal. */
  private static final double ROUNDING = 1e-24;

  /**
   * The drift of trials without blocks, in run order.
   *
   * @param observations positive, in run order
   * @param cells the cell of each, counted from 0
   */
  public static OrderDrift of(double[] observations, int[] cells) {
    return of(observations, cells, new int[cells.length], cells);
  }

  /**
   * The drift of trials within blocks.
   *
   * @param observations positive, in run order
   * @param cells the cell of each, counted from 0
   * @param blocks the block of each, counted from 0
   */
  public static OrderDrift of(double[] observations, int[] cells, int[] blocks) {
    return of(observations, cells, blocks, blocks);
  }

  private static OrderDrift of(
      double[] observations, int[] cells, int[] blocks, int[] shuffledWithin) {
    int n = observations.length;
    if (n == 0) {
      return new OrderDrift(Double.NaN, Double.NaN, Double.NaN, Double.NaN, Double.NaN, 0);
    }
    TwoWay layout = new TwoWay(cells, blocks);
    double[] residuals = layout.residuals(Sample.logs(observations));
    double[] order = new double[n];
    Arrays.setAll(order, i -> i);
    double[] place = layout.residuals(order);
    // If cells and blocks determine the order, only rounding remains.
    double spread = dot(place, place) <= n * n * ROUNDING ? 0 : dot(place, place);
    double slope = spread == 0 ? Double.NaN : dot(place, residuals) / spread;
    int freedom = n - layout.rank() - 1;
    double error = error(residuals, spread, slope, freedom);
    return new OrderDrift(
        slope,
        slopeP(slope, error, freedom),
        Math.abs(slope) + StudentT.factor(LEVEL, Math.max(1, freedom)) * error,
        lagOne(residuals),
        shuffledP(residuals, shuffledWithin),
        n);
  }

  /** Returns the p of both tests together (Bonferroni); {@code NaN} if neither could be made. */
  public double p() {
    double least =
        Double.isNaN(slopeP) ? lagOneP : Double.isNaN(lagOneP) ? slopeP : Math.min(slopeP, lagOneP);
    return Math.min(1, 2 * least);
  }

  /** Returns whether the tests together find drift at that level. */
  public boolean found(double level) {
    return p() < level;
  }

  private static double error(double[] residuals, double spread, double slope, int freedom) {
    if (freedom < 1 || Double.isNaN(slope)) {
      return Double.NaN;
    }
    double unexplained = Math.max(0, dot(residuals, residuals) - slope * slope * spread);
    return Math.sqrt(unexplained / freedom / spread);
  }

  private static double slopeP(double slope, double error, int freedom) {
    if (Double.isNaN(error)) {
      return Double.NaN;
    }
    return error == 0 ? (slope == 0 ? 1 : 0) : StudentT.twoSided(slope / error, freedom);
  }

  private static double shuffledP(double[] residuals, int[] groups) {
    double observed = lagOne(residuals);
    if (Double.isNaN(observed)) {
      return Double.NaN;
    }
    double[] shuffled = residuals.clone();
    List<List<Integer>> places = TwoWay.places(groups);
    Random random = new Random(1);
    double[] outcomes = new double[SHUFFLES];
    for (int round = 0; round < SHUFFLES; round++) {
      for (List<Integer> group : places) {
        List<Integer> mixed = new ArrayList<>(group);
        Collections.shuffle(mixed, random);
        for (int i = 0; i < mixed.size(); i++) {
          shuffled[group.get(i)] = residuals[mixed.get(i)];
        }
      }
      outcomes[round] = lagOne(shuffled);
    }
    double tolerance = 1e-12;
    long above = Arrays.stream(outcomes).filter(r -> r >= observed - tolerance).count();
    long below = Arrays.stream(outcomes).filter(r -> r <= observed + tolerance).count();
    return Math.min(1, 2.0 * (1 + Math.min(above, below)) / (SHUFFLES + 1));
  }

  private static double lagOne(double[] residuals) {
    double squares = dot(residuals, residuals);
    double products = 0;
    for (int i = 0; i + 1 < residuals.length; i++) {
      products += residuals[i] * residuals[i + 1];
    }
    return squares <= residuals.length * ROUNDING ? Double.NaN : products / squares;
  }

  private static double dot(double[] a, double[] b) {
    double sum = 0;
    for (int i = 0; i < a.length; i++) {
      sum += a[i] * b[i];
    }
    return sum;
  }
}
