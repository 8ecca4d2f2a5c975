package io.slicewise.stats;

import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Holm's step-down adjustment: limits the probability of any false alarm in a family of tests to
 * the level of a single test. Of m values sorted ascending, the i-th (from 0) becomes the largest
 * of (m − j)·p_j for j ≤ i, at most 1.
 *
 * <p>Source: S. Holm, <i>A simple sequentially rejective multiple test procedure</i>, Scandinavian
 * Journal of Statistics 6 (1979).
 *
 * <p>Worked example: 0.01, 0.04, 0.03 become 0.03, 0.06, 0.06.
 */
public final class Holm {
  private Holm() {}

  /** The adjusted values in the order given; {@code NaN} (not tested) stays and does not count. */
  public static double[] adjust(double... pValues) {
    double[] adjusted = new double[pValues.length];
    java.util.Arrays.fill(adjusted, Double.NaN);
    List<Integer> tested =
        IntStream.range(0, pValues.length)
            .filter(i -> !Double.isNaN(pValues[i]))
            .boxed()
            .sorted(Comparator.comparingDouble(i -> pValues[i]))
            .toList();
    double largest = 0;
    for (int rank = 0; rank < tested.size(); rank++) {
      int i = tested.get(rank);
      largest = Math.max(largest, (tested.size() - rank) * pValues[i]);
      adjusted[i] = Math.min(1, largest);
    }
    return adjusted;
  }
}
