package io.slicewise.stats;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.commons.math3.linear.MatrixUtils;
import org.apache.commons.math3.linear.QRDecomposition;
import org.apache.commons.math3.linear.RealMatrix;
import org.apache.commons.math3.linear.RealVector;

/**
 * What the previous setting leaves in a window: ordinary least squares of ln x on block, current
 * setting and previous setting. The effect of a previous setting is against the baseline as the
 * previous one, at 95 % for all previous settings together (Bonferroni).
 *
 * <p>Blocks are taken off first by subtracting each block's mean from x and from the indicators (R.
 * Frisch and F. V. Waugh, <i>Partial time regressions as compared with individual trends</i>,
 * Econometrica 1, 1933), which leaves n − blocks − 2·(k − 1) degrees of freedom.
 *
 * <p>Source: B. Jones and M. G. Kenward, <i>Design and Analysis of Cross-Over Trials</i> (3rd ed.
 * 2014), chapter 5: first-order carry-over in the additive model.
 *
 * <p>Worked example: blocks {A after B: 0.1, B after A: 0.5}, {B after B: 0.6, A after B: 0.1}, {A
 * after A: 0, B after A: 0.5}: current B adds 0.5 and previous B 0.1, with 1 degree of freedom and
 * no residual.
 */
public final class CarryOver {
  private static final double CONFIDENCE = 0.95;
  private static final double SINGULAR = 1e-9;

  private CarryOver() {}

  /**
   * One window.
   *
   * @param block any number that is the same for all windows of a block and for no others
   * @param setting current one, counted from 0, the baseline
   * @param previous setting
   */
  public record Window(int block, int setting, int previous, double log) {}

  /**
   * The remains of one setting.
   *
   * @param setting the previous one
   * @param low lower end of the simultaneous 95 % interval, on logarithms
   */
  public record Remains(int setting, double logRatio, double low, double high) {}

  /**
   * Returns what each setting but the baseline leaves; empty when too few windows tell it.
   *
   * @param settings how many there are, the baseline among them
   */
  public static List<Remains> of(List<Window> windows, int settings) {
    int columns = 2 * (settings - 1);
    List<Window> used = withNeighbours(windows);
    long blocks = used.stream().map(Window::block).distinct().count();
    int freedom = (int) (used.size() - blocks - columns);
    if (settings < 2 || freedom < 1) {
      return List.of();
    }
    double[][] x = new double[used.size()][columns];
    double[] y = new double[used.size()];
    for (int i = 0; i < y.length; i++) {
      Window window = used.get(i);
      mark(x[i], window.setting());
      mark(x[i], window.previous() == 0 ? 0 : window.previous() + settings - 1);
      y[i] = window.log();
    }
    takeBlocks(used, x, y);
    QRDecomposition parts = new QRDecomposition(MatrixUtils.createRealMatrix(x), SINGULAR);
    if (!parts.getSolver().isNonSingular()) {
      return List.of();
    }
    RealVector observed = MatrixUtils.createRealVector(y);
    RealVector fitted = parts.getSolver().solve(observed);
    RealVector residuals = observed.subtract(MatrixUtils.createRealMatrix(x).operate(fitted));
    double variance = residuals.dotProduct(residuals) / freedom;
    RealMatrix upper = parts.getR().getSubMatrix(0, columns - 1, 0, columns - 1);
    RealMatrix inverse = MatrixUtils.inverse(upper);
    double factor = StudentT.factor(1 - (1 - CONFIDENCE) / (settings - 1), freedom);
    List<Remains> remains = new ArrayList<>();
    for (int setting = 1; setting < settings; setting++) {
      int row = settings - 2 + setting;
      double[] weights = inverse.getRow(row);
      double error = Math.sqrt(variance * Arrays.stream(weights).map(w -> w * w).sum());
      double effect = fitted.getEntry(row);
      remains.add(new Remains(setting, effect, effect - factor * error, effect + factor * error));
    }
    return List.copyOf(remains);
  }

  /** A window alone in its block says nothing. */
  private static List<Window> withNeighbours(List<Window> windows) {
    Map<Integer, Long> sizes =
        windows.stream().collect(Collectors.groupingBy(Window::block, Collectors.counting()));
    return windows.stream().filter(one -> sizes.get(one.block()) > 1).toList();
  }

  private static void mark(double[] row, int indicator) {
    if (indicator > 0) {
      row[indicator - 1] = 1;
    }
  }

  private static void takeBlocks(List<Window> windows, double[][] x, double[] y) {
    int[] blocks = windows.stream().mapToInt(Window::block).toArray();
    for (int block : Arrays.stream(blocks).distinct().toArray()) {
      int[] rows = IntStream.range(0, blocks.length).filter(i -> blocks[i] == block).toArray();
      double mean = Arrays.stream(rows).mapToDouble(i -> y[i]).average().orElseThrow();
      Arrays.stream(rows).forEach(i -> y[i] -= mean);
      for (int column = 0; column < x[0].length; column++) {
        int at = column;
        double share = Arrays.stream(rows).mapToDouble(i -> x[i][at]).average().orElseThrow();
        Arrays.stream(rows).forEach(i -> x[i][at] -= share);
      }
    }
  }
}
