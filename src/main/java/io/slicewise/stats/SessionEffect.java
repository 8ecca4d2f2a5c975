package io.slicewise.stats;

import java.util.Arrays;
import java.util.List;
import org.apache.commons.math3.distribution.FDistribution;

/**
 * The effect of a setting that was switched against the baseline within sessions: log ratios by
 * block, blocks by session. Sessions are the replicates, since a restart draws anew what its blocks
 * have in common.
 *
 * <ul>
 *   <li>{@link Basis#SESSIONS}, from three sessions on: the mean of the sessions' means d_s with
 *       weights w_s = 1 / (τ² + σ²/B_s), standard error √(Σ w_s·(d_s − d̄)² / ((S − 1)·Σ w_s)) and
 *       S − 1 degrees of freedom. For sessions of equal length this is Student's t over the session
 *       means. σ² is pooled over the blocks within sessions, τ² is the variance component between
 *       sessions by analysis of variance.
 *   <li>{@link Basis#MIXED}, where three or more sessions agree more closely than the scatter of
 *       their own blocks allows (lower tail of F below 0.01): the component is taken as 0, and the
 *       mixed model gives the mean of all N blocks with s/√N and, by Satterthwaite, N − 1 degrees
 *       of freedom. It keeps sessions that agree by luck from looking precise.
 *   <li>{@link Basis#BLOCKS}, for one session or two: the mean of the sessions' means with σ·√(Σ
 *       1/B_s)/S and N − S degrees of freedom. It holds for these sessions only.
 * </ul>
 *
 * <p>Source: J. Hartung and G. Knapp, <i>On tests of the overall treatment effect in meta-analysis
 * with normally distributed responses</i>, Statistics in Medicine 20 (2001); F. E. Satterthwaite,
 * <i>An approximate distribution of estimates of variance components</i>, Biometrics Bulletin 2
 * (1946); S. R. Searle, G. Casella and C. E. McCulloch, <i>Variance Components</i> (1992), section
 * 3.6.
 *
 * <p>Worked example: sessions 0.10, 0.14; 0.20, 0.24; 0.30, 0.34: means 0.12, 0.22, 0.32, so 0.22
 * with standard error 0.1/√3 = 0.057735 and 2 degrees of freedom; σ² = 0.0008, τ² = (0.02 −
 * 0.0008)/2 = 0.0096. The first session alone: 0.12 with 0.028284/√2 = 0.02 and 1.
 *
 * @param blocks of each session that has one, in the order given
 * @param within σ, the deviation of a block's log ratio within its session; {@code NaN} unknown
 * @param between τ, the deviation of the effect between sessions; {@code NaN} unknown
 */
public record SessionEffect(
    Effect effect, Basis basis, List<Integer> blocks, double within, double between) {
  /** The fewest sessions that say what a restart changes. */
  public static final int REPLICATES = 3;

  /** The lower tail of F from which the agreement of sessions is taken for luck. */
  private static final double LUCK = 0.01;

  public SessionEffect {
    blocks = List.copyOf(blocks);
  }

  /** What the interval rests on. */
  public enum Basis {
    SESSIONS,
    MIXED,
    BLOCKS
  }

  /**
   * The effect; without an interval for a single block.
   *
   * @param sessions log ratios by block; sessions without a block are left out
   * @throws IllegalArgumentException if no session has a block, or a log ratio is not finite
   */
  public static SessionEffect of(List<double[]> sessions) {
    List<double[]> known = sessions.stream().filter(session -> session.length > 0).toList();
    if (known.isEmpty()) {
      throw new IllegalArgumentException("no session has a block");
    }
    known.forEach(Sample::checked);
    return new Layout(known).effect();
  }

  /** The one-way layout of blocks in sessions. */
  private static final class Layout {
    private final double[] means;
    private final int[] blocks;
    private final int all;
    private final double grand;
    private final double within;
    private final double betweenSquares;
    private final double betweenVariance;

    Layout(List<double[]> sessions) {
      means = sessions.stream().mapToDouble(Sample::mean).toArray();
      blocks = sessions.stream().mapToInt(session -> session.length).toArray();
      all = Arrays.stream(blocks).sum();
      grand = Sample.mean(sessions.stream().flatMapToDouble(Arrays::stream).toArray());
      double withinSquares = 0;
      double squares = 0;
      double sizes = 0;
      for (int s = 0; s < means.length; s++) {
        double mean = means[s];
        withinSquares += Arrays.stream(sessions.get(s)).map(d -> (d - mean) * (d - mean)).sum();
        squares += blocks[s] * (mean - grand) * (mean - grand);
        sizes += (double) blocks[s] * blocks[s];
      }
      within = all > means.length ? withinSquares / (all - means.length) : Double.NaN;
      betweenSquares = squares;
      double typical = (all - sizes / all) / (means.length - 1);
      betweenVariance =
          means.length < 2
              ? Double.NaN
              : Math.max(0, (squares / (means.length - 1) - orNone(within)) / typical);
    }

    private static double orNone(double variance) {
      return Double.isNaN(variance) ? 0 : variance;
    }

    SessionEffect effect() {
      Basis basis =
          means.length < REPLICATES ? Basis.BLOCKS : byLuck() ? Basis.MIXED : Basis.SESSIONS;
      Effect effect =
          switch (basis) {
            case SESSIONS -> overSessions();
            case MIXED -> overAllBlocks();
            case BLOCKS -> overBlocks();
          };
      return new SessionEffect(
          effect,
          basis,
          Arrays.stream(blocks).boxed().toList(),
          Math.sqrt(within),
          Math.sqrt(betweenVariance));
    }

    private boolean byLuck() {
      if (!(within > 0)) {
        return false;
      }
      int between = means.length - 1;
      double ratio = betweenSquares / between / within;
      return new FDistribution(null, between, all - (double) means.length)
              .cumulativeProbability(ratio)
          < LUCK;
    }

    private Effect overSessions() {
      double[] weights = new double[means.length];
      double sum = 0;
      double mean = 0;
      for (int s = 0; s < means.length; s++) {
        double variance = betweenVariance + orNone(within) / blocks[s];
        // Sessions that neither differ nor scatter weigh alike.
        weights[s] = variance > 0 ? 1 / variance : 1;
        sum += weights[s];
        mean += weights[s] * means[s];
      }
      mean /= sum;
      double squares = 0;
      for (int s = 0; s < means.length; s++) {
        squares += weights[s] * (means[s] - mean) * (means[s] - mean);
      }
      double freedom = means.length - 1;
      return new Effect(mean, Math.sqrt(squares / (freedom * sum)), freedom, means.length);
    }

    private Effect overAllBlocks() {
      double squares = betweenSquares + within * (all - means.length);
      double freedom = all - 1;
      return new Effect(grand, Math.sqrt(squares / freedom / all), freedom, all);
    }

    private Effect overBlocks() {
      double share = Arrays.stream(blocks).mapToDouble(b -> 1.0 / b).sum();
      double error = Math.sqrt(within * share) / means.length;
      return new Effect(Sample.mean(means), error, all - (double) means.length, all);
    }
  }
}
