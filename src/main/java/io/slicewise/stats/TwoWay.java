package io.slicewise.stats;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/**
 * A two-way layout, complete or not: each observation belongs to one row (a cell of the sweep) and
 * one column (a block).
 *
 * <p>Residuals of the additive least-squares fit come from taking means off rows and columns in
 * turn until nothing is left to take: exact after one round when the layout is complete, and
 * convergent in any layout, since each step projects onto what is orthogonal to one of the two.
 *
 * <p>Source: I. Halperin, <i>The product of projection operators</i>, Acta Sci. Math. 23 (1962).
 */
final class TwoWay {
  private static final int ROUNDS = 1_000;
  private static final double SETTLED = 1e-14;

  private final List<List<Integer>> rows;
  private final List<List<Integer>> columns;
  private final int rank;

  TwoWay(int[] rows, int[] columns) {
    this.rows = places(rows);
    this.columns = places(columns);
    int used =
        (int) (Arrays.stream(rows).distinct().count() + Arrays.stream(columns).distinct().count());
    this.rank = used - parts(rows.length, this.rows, this.columns);
  }

  /** How many numbers the fit has: rows + columns, less one for each part that hangs together. */
  int rank() {
    return rank;
  }

  /** What rows and columns together do not explain. */
  double[] residuals(double[] values) {
    double[] left = values.clone();
    double scale = Arrays.stream(values).map(Math::abs).max().orElse(0);
    double taken = Double.POSITIVE_INFINITY;
    for (int round = 0; round < ROUNDS && taken > SETTLED * scale; round++) {
      taken = Math.max(takeMeans(left, rows), takeMeans(left, columns));
    }
    return left;
  }

  /** The places of each number that occurs, by that number. */
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

  private static double takeMeans(double[] values, List<List<Integer>> groups) {
    double most = 0;
    for (List<Integer> group : groups) {
      double mean = group.stream().mapToDouble(i -> values[i]).average().orElse(0);
      group.forEach(i -> values[i] -= mean);
      most = Math.max(most, Math.abs(mean));
    }
    return most;
  }

  /** Rows and columns hang together where an observation stands in both. */
  private static int parts(int n, List<List<Integer>> rows, List<List<Integer>> columns) {
    int[] part = new int[n];
    Arrays.setAll(part, i -> i);
    boolean changed = true;
    while (changed) {
      changed =
          Stream.concat(rows.stream(), columns.stream()).filter(g -> join(part, g)).count() > 0;
    }
    return (int) Arrays.stream(part).distinct().count();
  }

  private static boolean join(int[] part, List<Integer> group) {
    int least = group.stream().mapToInt(i -> part[i]).min().orElse(0);
    boolean changed = group.stream().anyMatch(i -> part[i] != least);
    group.forEach(i -> part[i] = least);
    return changed;
  }
}
