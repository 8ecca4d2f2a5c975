package io.slicewise.tune;

import io.slicewise.tune.Evidence.Block;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Evidence of blocks inside sessions: d = ln(x_i / x_j) within a block, so that common effects of a
 * block or a session cancel.
 *
 * <p>The mean d̄_s of session s has the variance τ² + v/n_s, where τ² is the variance between
 * starts of each pair and v that of a block. The log ratio is the mean of d̄_s with the weights
 * 1/(τ² + v/n_s).
 *
 * <ul>
 *   <li>v is the pair's own variance within sessions, lightly pooled: the mean over all pairs has a
 *       weight of ν₀ degrees of freedom.
 *   <li>τ² is the upper 95 % bound of the estimate, from the session means of all pairs together
 *       with (k − 1)(S − 1) degrees of freedom, less the part of v, since underestimated starts
 *       lead to false claims. Before the second session it is δ².
 *   <li>the degrees of freedom of the ratio are Satterthwaite's.
 * </ul>
 *
 * <p>Source: W. G. Cochran, <i>Problems arising in the analysis of a series of similar
 * experiments</i>, JRSS Supplement 4 (1937); E. B. Wilson and M. M. Hilferty, <i>The distribution
 * of chi-square</i>, PNAS 17 (1931); Satterthwaite, Biometrics Bulletin 2 (1946).
 */
final class BlockEvidence implements Evidence {
  private static final double LEAST_VARIANCE = 1e-10;
  private static final double PRIOR_SESSION_FREEDOM = 4;
  private static final double NORMAL_95 = 1.6449;

  /** The bound does not need heavier tails. */
  private static final double BOUND_FREEDOM = 1_000;

  private final double sign;
  private final double priorFreedom;
  private final double priorSession;
  private final List<PairSums> sessions = new ArrayList<>();
  private int[] counts;
  private double[] logs;
  private double scatter;
  private double session;
  private double sessionFreedom;
  private boolean scatterKnown;

  BlockEvidence(int candidates, Rules rules) {
    sign = rules.sign();
    priorFreedom = rules.priorFreedom();
    priorSession = rules.band() * rules.band();
    counts = new int[candidates];
    logs = new double[candidates];
    refresh();
  }

  void clear() {
    Arrays.fill(counts, 0);
    sessions.clear();
    refresh();
  }

  @Override
  public void enter() {
    counts = Arrays.copyOf(counts, counts.length + 1);
    logs = new double[counts.length];
    sessions.forEach(PairSums::enter);
  }

  @Override
  public void add(Block block) {
    add(
        block.session(),
        block.candidates().stream().mapToInt(Integer::intValue).toArray(),
        block.values().stream().mapToDouble(Double::doubleValue).toArray(),
        block.candidates().size());
  }

  /** Adds a block: the first {@code size} entries of the arrays. */
  void add(int number, int[] candidates, double[] values, int size) {
    while (sessions.size() <= number) {
      sessions.add(new PairSums(counts.length));
    }
    PairSums sums = sessions.get(number);
    for (int a = 0; a < size; a++) {
      logs[candidates[a]] = sign * Math.log(values[a]);
      counts[candidates[a]]++;
    }
    for (int a = 0; a < size; a++) {
      for (int b = 0; b < size; b++) {
        if (candidates[a] < candidates[b]) {
          sums.add(candidates[a], candidates[b], logs[candidates[a]] - logs[candidates[b]]);
        }
      }
    }
    refresh();
  }

  @Override
  public int candidates() {
    return counts.length;
  }

  @Override
  public int observations(int candidate) {
    return counts[candidate];
  }

  @Override
  public double logRatio(int candidate, int other) {
    if (candidate == other) {
      return 0;
    }
    int low = Math.min(candidate, other);
    int high = Math.max(candidate, other);
    double block = blockVariance(low, high);
    double sum = 0;
    double weights = 0;
    for (int s = 0; s < sessions.size(); s++) {
      int blocks = sessions.get(s).blocks(low, high);
      if (blocks > 0) {
        double weight = 1 / (session + block / blocks);
        sum += weight * sessions.get(s).mean(low, high);
        weights += weight;
      }
    }
    return weights == 0 ? Double.NaN : (candidate < other ? 1 : -1) * sum / weights;
  }

  @Override
  public double standardError(int candidate, int other) {
    double weights = weights(candidate, other);
    return scatterKnown && weights > 0 ? 1 / Math.sqrt(weights) : Double.POSITIVE_INFINITY;
  }

  /** Satterthwaite: V²/(V_τ²/ν_τ + V_v²/ν_v) of the two parts of the variance. */
  @Override
  public double freedom(int candidate, int other) {
    int low = Math.min(candidate, other);
    int high = Math.max(candidate, other);
    double block = blockVariance(low, high);
    double weights = weights(low, high);
    double fromSessions = 0;
    double fromBlocks = 0;
    double freedom = priorFreedom;
    for (int s = 0; s < sessions.size(); s++) {
      int blocks = sessions.get(s).blocks(low, high);
      if (blocks > 0) {
        double share = 1 / (session + block / blocks) / weights;
        fromSessions += share * share * session;
        fromBlocks += share * share * block / blocks;
        freedom += blocks - 1;
      }
    }
    double all = fromSessions + fromBlocks;
    return all
        * all
        / (fromSessions * fromSessions / sessionFreedom + fromBlocks * fromBlocks / freedom);
  }

  private double weights(int candidate, int other) {
    int low = Math.min(candidate, other);
    int high = Math.max(candidate, other);
    double block = blockVariance(low, high);
    double weights = 0;
    for (int s = 0; s < sessions.size(); s++) {
      int blocks = sessions.get(s).blocks(low, high);
      if (blocks > 0) {
        weights += 1 / (session + block / blocks);
      }
    }
    return weights;
  }

  private double blockVariance(int low, int high) {
    double squares = 0;
    int freedom = 0;
    for (int s = 0; s < sessions.size(); s++) {
      squares += sessions.get(s).squares(low, high);
      freedom += Math.max(0, sessions.get(s).blocks(low, high) - 1);
    }
    return (priorFreedom * scatter + squares) / (priorFreedom + freedom);
  }

  private void refresh() {
    double squares = 0;
    double freedom = 0;
    for (int i = 0; i < counts.length; i++) {
      for (int j = i + 1; j < counts.length; j++) {
        for (int s = 0; s < sessions.size(); s++) {
          squares += sessions.get(s).squares(i, j);
          freedom += Math.max(0, sessions.get(s).blocks(i, j) - 1);
        }
      }
    }
    scatterKnown = freedom > 0;
    scatter = scatterKnown ? Math.max(LEAST_VARIANCE, squares / freedom) : 1;
    estimateSession();
  }

  private void estimateSession() {
    double between = 0;
    double within = 0;
    double freedom = 0;
    for (int i = 0; sessions.size() > 1 && i < counts.length; i++) {
      for (int j = i + 1; j < counts.length; j++) {
        int more = sessionsOf(i, j) - 1;
        if (more > 0) {
          freedom += more;
          between += squaresOfSessions(i, j);
          within += more * blockVariance(i, j) * meanInverse(i, j);
        }
      }
    }
    if (freedom > 0) {
      double bound = between * upper(freedom * 2 / counts.length);
      session = Math.max(0, (bound - within) / freedom);
      sessionFreedom = BOUND_FREEDOM;
    } else {
      session = priorSession;
      sessionFreedom = PRIOR_SESSION_FREEDOM;
    }
  }

  /** Returns ν/χ²(0.05; ν) by Wilson and Hilferty: the factor from a variance to its bound. */
  private static double upper(double freedom) {
    double part = 2 / (9 * freedom);
    double root = 1 - part - NORMAL_95 * Math.sqrt(part);
    return 1 / (root * root * root);
  }

  private int sessionsOf(int low, int high) {
    int number = 0;
    for (int s = 0; s < sessions.size(); s++) {
      number += sessions.get(s).blocks(low, high) > 0 ? 1 : 0;
    }
    return number;
  }

  /** Returns the sum of squares of one pair's session means around their mean. */
  private double squaresOfSessions(int low, int high) {
    int number = 0;
    double mean = 0;
    double squares = 0;
    for (int s = 0; s < sessions.size(); s++) {
      if (sessions.get(s).blocks(low, high) > 0) {
        number++;
        double one = sessions.get(s).mean(low, high);
        double step = one - mean;
        mean += step / number;
        squares += step * (one - mean);
      }
    }
    return squares;
  }

  private double meanInverse(int low, int high) {
    int number = 0;
    double sum = 0;
    for (int s = 0; s < sessions.size(); s++) {
      int blocks = sessions.get(s).blocks(low, high);
      number += blocks > 0 ? 1 : 0;
      sum += blocks > 0 ? 1.0 / blocks : 0;
    }
    return sum / number;
  }

  /** Sums of the log ratios of all pairs of candidates in the blocks of one session. */
  private static final class PairSums {
    private int[][] blocks;
    private double[][] means;
    private double[][] squares;

    PairSums(int candidates) {
      blocks = new int[candidates][candidates];
      means = new double[candidates][candidates];
      squares = new double[candidates][candidates];
    }

    void enter() {
      int size = blocks.length + 1;
      blocks = Arrays.copyOf(blocks, size);
      means = Arrays.copyOf(means, size);
      squares = Arrays.copyOf(squares, size);
      for (int i = 0; i < size; i++) {
        blocks[i] = i < size - 1 ? Arrays.copyOf(blocks[i], size) : new int[size];
        means[i] = i < size - 1 ? Arrays.copyOf(means[i], size) : new double[size];
        squares[i] = i < size - 1 ? Arrays.copyOf(squares[i], size) : new double[size];
      }
    }

    /** Adds ln(x_low / x_high) of one block. */
    void add(int low, int high, double logRatio) {
      int n = ++blocks[low][high];
      double step = logRatio - means[low][high];
      means[low][high] += step / n;
      squares[low][high] += step * (logRatio - means[low][high]);
    }

    int blocks(int low, int high) {
      return blocks[low][high];
    }

    double mean(int low, int high) {
      return means[low][high];
    }

    /** Returns the sum of squares around the mean. */
    double squares(int low, int high) {
      return squares[low][high];
    }
  }
}
