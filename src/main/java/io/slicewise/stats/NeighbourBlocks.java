package io.slicewise.stats;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
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
      double squares = residuals.stream().mapToDouble(Test::squares).sum();
      long pairs = residuals.stream().filter(session -> session.length > 2).count();
      if (pairs == 0 || !(squares > 0)) {
        return new Test(Double.NaN, Double.NaN);
      }
      double observed = products(residuals) / squares;
      Random random = new Random(1);
      List<List<double[]>> mixed = new ArrayList<>();
      residuals.forEach(session -> mixed.add(new ArrayList<>(Arrays.asList(session))));
      int above = 0;
      for (int round = 0; round < SHUFFLES; round++) {
        double products = 0;
        for (List<double[]> session : mixed) {
          Collections.shuffle(session, random);
          products += products(session.toArray(double[][]::new));
        }
        above += products / squares >= observed - 1e-12 ? 1 : 0;
      }
      return new Test(observed, (1.0 + above) / (SHUFFLES + 1));
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

    private static double squares(double[][] session) {
      return Arrays.stream(session).flatMapToDouble(Arrays::stream).map(e -> e * e).sum();
    }

    private static double products(List<double[][]> sessions) {
      return sessions.stream().mapToDouble(Test::products).sum();
    }

    private static double products(double[][] session) {
      double sum = 0;
      for (int b = 0; b + 1 < session.length; b++) {
        for (int i = 0; i < session[b].length; i++) {
          sum += session[b][i] * session[b + 1][i];
        }
      }
      return sum;
    }
  }
}
