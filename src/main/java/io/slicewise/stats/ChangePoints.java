package io.slicewise.stats;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Random;

/**
 * Finds the points where a series changes: E-divisive with means. A segment of n observations is
 * split before position τ where Q(τ) is largest,
 *
 * <p>Q(τ) = m(n−m)/n · ( 2/(m(n−m)) Σ|x_i − y_j| − 2/(m(m−1)) Σ_{i&lt;k}|x_i − x_k| −
 * 2/((n−m)(n−m−1)) Σ_{j&lt;k}|y_j − y_k| ), with x the m observations before τ and y those from it
 * on,
 *
 * <p>the energy distance of the two sides with exponent 1, weighted by their numbers. Segments are
 * split one after another, the largest Q of all first; before each split the observations are
 * shuffled within all segments, and the split is significant when at most a given share of the
 * shuffles reach its Q: p = (1 + reached) / (1 + shuffles). The first split that is not significant
 * ends the search. A segment has at least three observations on either side; a series of fewer than
 * ten has no changes since no outcome would be evidence.
 *
 * <p>Source: D. S. Matteson and N. A. James, <i>A nonparametric approach for multiple change point
 * analysis of multivariate data</i>, Journal of the American Statistical Association 109 (2014);
 * with the right side always reaching to the segment's end as in D. Daly, W. Brown, H. Ingo, J.
 * O'Leary and D. Bradford, <i>The use of change point detection to identify software performance
 * regressions in a continuous integration system</i>, ICPE 2020.
 *
 * <p>Worked example: 1, 1, 1, 3, 3, 3: before the fourth, m = 3: between the sides every distance
 * is 2, within them 0, so Q = 9/6 · 2·9·2/9 = 6, the largest; ten observations of the same kind are
 * needed before it counts.
 */
public final class ChangePoints {
  /** Fewest observations of a series in which a change is looked for. */
  public static final int FEWEST = 10;

  /** Fewest observations on either side of a change. */
  public static final int SEGMENT = 3;

  private static final int SHUFFLES = 999;

  private ChangePoints() {}

  /**
   * A change.
   *
   * @param index of the first observation after it, from 0
   * @param p of the split, at the moment it was made
   */
  public record Change(int index, double p) {}

  /**
   * Returns the changes of a series, by position; the same series and seed give the same changes.
   *
   * @param level of significance, e.g. 0.01
   */
  public static List<Change> of(double[] series, double level, long seed) {
    if (Sample.checked(series).length < FEWEST) {
      return List.of();
    }
    Random random = new Random(seed);
    List<Integer> bounds = new ArrayList<>(List.of(0, series.length));
    List<Change> changes = new ArrayList<>();
    while (true) {
      Optional<Split> best = best(series, bounds);
      if (best.isEmpty()) {
        break;
      }
      double p = p(series, bounds, best.get().statistic, random);
      if (p > level) {
        break;
      }
      changes.add(new Change(best.get().index, p));
      bounds.add(best.get().index);
      Collections.sort(bounds);
    }
    changes.sort(Comparator.comparingInt(Change::index));
    return List.copyOf(changes);
  }

  private record Split(int index, double statistic) {}

  private static double p(double[] series, List<Integer> bounds, double observed, Random random) {
    double[] shuffled = series.clone();
    int reached = 0;
    for (int round = 0; round < SHUFFLES; round++) {
      for (int s = 0; s + 1 < bounds.size(); s++) {
        shuffle(shuffled, bounds.get(s), bounds.get(s + 1), random);
      }
      double best = best(shuffled, bounds).map(Split::statistic).orElse(Double.NaN);
      // Values that differ only by rounding, from summing in another order, are ties.
      reached += best >= observed * (1 - 1e-12) ? 1 : 0;
    }
    return (1.0 + reached) / (1 + SHUFFLES);
  }

  private static void shuffle(double[] values, int from, int to, Random random) {
    for (int i = to - 1; i > from; i--) {
      int j = from + random.nextInt(i - from + 1);
      double kept = values[i];
      values[i] = values[j];
      values[j] = kept;
    }
  }

  /** The largest Q of all segments; empty when all are too short to split or without scatter. */
  private static Optional<Split> best(double[] series, List<Integer> bounds) {
    Split best = new Split(-1, 0);
    for (int s = 0; s + 1 < bounds.size(); s++) {
      double[] q = statistics(Arrays.copyOfRange(series, bounds.get(s), bounds.get(s + 1)));
      for (int t = 0; t < q.length; t++) {
        if (q[t] > best.statistic) {
          best = new Split(bounds.get(s) + t, q[t]);
        }
      }
    }
    return best.index < 0 ? Optional.empty() : Optional.of(best);
  }

  /**
   * Q for every split of a segment, by the position of the first observation after it; {@code NaN}
   * where a side would have fewer than {@link #SEGMENT}. One pass over all pairs: moving an
   * observation from the right side to the left changes the three sums by its own distances.
   */
  static double[] statistics(double[] segment) {
    int n = segment.length;
    double[] q = new double[n];
    Arrays.fill(q, Double.NaN);
    double left = 0;
    double right = 0;
    double between = 0;
    for (int i = 0; i < n; i++) {
      for (int j = i + 1; j < n; j++) {
        right += Math.abs(segment[i] - segment[j]);
      }
    }
    for (int m = 1; m < n; m++) {
      double toLeft = 0;
      double toRight = 0;
      double moved = segment[m - 1];
      for (int i = 0; i < m - 1; i++) {
        toLeft += Math.abs(moved - segment[i]);
      }
      for (int i = m; i < n; i++) {
        toRight += Math.abs(moved - segment[i]);
      }
      left += toLeft;
      right -= toRight;
      between += toRight - toLeft;
      int other = n - m;
      if (m >= SEGMENT && other >= SEGMENT) {
        q[m] =
            2 * between / n
                - 2 * other * left / ((double) n * (m - 1))
                - 2 * m * right / ((double) n * (other - 1));
      }
    }
    return q;
  }
}
