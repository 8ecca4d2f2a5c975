package io.slicewise.stats.table;

import java.util.Arrays;
import java.util.List;
import java.util.Random;

/**
 * Whether neighbouring blocks of a session are alike, and blocks joined until they are not.
 *
 * <p>Each block has one log ratio for each profile. The residuals are those from the profile's mean
 * in the session; r₁ = Σ e_b·e_{b+1} / Σ e², over profiles and sessions, is judged by shuffling
 * whole blocks within their sessions 1,999 times with a fixed seed: where order does not matter,
 * each order is equally likely. Only likeness is looked for (one-sided, 5 %): it makes intervals
 * over blocks too narrow. Where it is there, neighbours are joined in pairs (means of batches) and
 * tested again, as long as each session keeps four.
 *
 * <p>Source: M. D. Ernst, <i>Permutation methods</i>, Statistical Science 19 (2004); G. S. Fishman,
 * <i>Grouping observations in digital simulation</i>, Management Science 24 (1978).
 *
 * <p>Worked example: one profile with 1, 2, 3, 6 in one session: residuals −2, −1, 0, 3, r₁ = 2/14
 * = 0.142857.
 *
 * @param correlation r₁ of the blocks as they were measured; {@code NaN} when it cannot be tested
 * @param p one-sided
 * @param size how many neighbouring blocks are joined into one; 1 where they are not alike
 * @param left whether the joined blocks are still alike, so that intervals over them are too narrow
 */
public record NeighbourBlocks(double correlation, double p, int size, boolean left) {
  private static final int SHUFFLES = 1_999;
  private static final double LEVEL = 0.05;
  private static final int FEWEST = 4;
  private static final double ROUNDING = 1e-12;

  /**
   * Tests blocks and chooses how many to join.
   *
   * @param sessions by session and block, the log ratio of each profile; {@code NaN} is missing
   */
  public static NeighbourBlocks of(List<double[][]> sessions) {
    Test measured = Test.of(sessions);
    Test now = measured;
    int size = 1;
    while (now.found() && canJoin(sessions, 2 * size)) {
      size *= 2;
      int batch = size;
      now = Test.of(sessions.stream().map(session -> joined(session, batch)).toList());
    }
    return new NeighbourBlocks(measured.correlation, measured.p, size, now.found());
  }

  private static boolean canJoin(List<double[][]> sessions, int size) {
    return sessions.stream().allMatch(s -> s.length == 0 || s.length / size >= FEWEST);
  }

  /** Returns means of {@code size} neighbours; what is over joins the last ones. */
  public static double[] joined(double[] blocks, int size) {
    double[][] rows = new double[blocks.length][];
    Arrays.setAll(rows, b -> new double[] {blocks[b]});
    return Arrays.stream(joined(rows, size)).mapToDouble(row -> row[0]).toArray();
  }

  private static double[][] joined(double[][] blocks, int size) {
    int batches = Math.max(Math.min(1, blocks.length), blocks.length / size);
    double[][] joined = new double[batches][];
    for (int i = 0; i < batches; i++) {
      int end = i == batches - 1 ? blocks.length : (i + 1) * size;
      joined[i] = means(Arrays.copyOfRange(blocks, i * size, end));
    }
    return joined;
  }

  /** The mean of each column's known values. */
  private static double[] means(double[][] rows) {
    double[] means = new double[rows.length == 0 ? 0 : rows[0].length];
    for (int column = 0; column < means.length; column++) {
      int at = column;
      means[column] =
          Arrays.stream(rows)
              .mapToDouble(row -> row[at])
              .filter(Double::isFinite)
              .average()
              .orElse(Double.NaN);
    }
    return means;
  }

  private record Test(double correlation, double p) {
    boolean found() {
      return p < LEVEL;
    }

    static Test of(List<double[][]> sessions) {
      List<double[][]> residuals = sessions.stream().map(Test::residuals).toList();
      double squares =
          residuals.stream()
              .flatMap(Arrays::stream)
              .flatMapToDouble(Arrays::stream)
              .map(e -> e * e)
              .sum();
      if (residuals.stream().noneMatch(session -> session.length > 2) || !(squares > 0)) {
        return new Test(Double.NaN, Double.NaN);
      }
      List<double[][]> products = residuals.stream().map(Test::products).toList();
      List<int[]> orders = residuals.stream().map(s -> order(s.length)).toList();
      double observed = neighbours(products, orders);
      Random random = new Random(1);
      int above = 0;
      for (int round = 0; round < SHUFFLES; round++) {
        orders.forEach(order -> shuffle(order, random));
        above += neighbours(products, orders) >= observed - ROUNDING * squares ? 1 : 0;
      }
      return new Test(observed / squares, (1.0 + above) / (SHUFFLES + 1));
    }

    /** Deviations from each profile's mean in the session; 0 for a missing one. */
    private static double[][] residuals(double[][] session) {
      double[] means = means(session);
      double[][] residuals = new double[session.length][];
      for (int b = 0; b < session.length; b++) {
        double[] row = session[b];
        residuals[b] = new double[row.length];
        Arrays.setAll(residuals[b], i -> Double.isFinite(row[i]) ? row[i] - means[i] : 0);
      }
      return residuals;
    }

    /** The sum over profiles of e_b·e_c, for any two blocks. */
    private static double[][] products(double[][] residuals) {
      double[][] products = new double[residuals.length][residuals.length];
      for (int b = 0; b < residuals.length; b++) {
        for (int c = 0; c < residuals.length; c++) {
          for (int i = 0; i < residuals[b].length; i++) {
            products[b][c] += residuals[b][i] * residuals[c][i];
          }
        }
      }
      return products;
    }

    private static double neighbours(List<double[][]> products, List<int[]> orders) {
      double sum = 0;
      for (int s = 0; s < orders.size(); s++) {
        int[] order = orders.get(s);
        for (int b = 0; b + 1 < order.length; b++) {
          sum += products.get(s)[order[b]][order[b + 1]];
        }
      }
      return sum;
    }

    private static int[] order(int blocks) {
      int[] order = new int[blocks];
      Arrays.setAll(order, b -> b);
      return order;
    }

    /** Fisher and Yates. */
    private static void shuffle(int[] order, Random random) {
      for (int last = order.length - 1; last > 0; last--) {
        int other = random.nextInt(last + 1);
        int kept = order[last];
        order[last] = order[other];
        order[other] = kept;
      }
    }
  }
}
