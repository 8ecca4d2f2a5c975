package io.slicewise.tune;

import io.slicewise.tune.Evidence.Block;
import java.util.Arrays;

/**
 * Evidence of independent trials: θ_i = ln x̄_i with the standard error c_i/√n_i, c_i being the
 * coefficient of variation (the delta method), so that the ratio is one of means whatever the
 * variance of each candidate.
 *
 * <p>c_i² = (ν₀·c² + (n_i − 1)·s_i²/x̄_i²) / (ν₀ + n_i − 1), where c² is pooled over all candidates
 * and ν₀ the prior degrees of freedom; the degrees of freedom of a ratio are Satterthwaite's.
 *
 * <p>Source: G. K. Smyth, <i>Linear models and empirical Bayes methods</i>, Statistical
 * Applications in Genetics and Molecular Biology 3 (2004), for the pooling; F. E. Satterthwaite,
 * <i>An approximate distribution of estimates of variance components</i>, Biometrics Bulletin 2
 * (1946).
 */
public final class TrialEvidence implements Evidence {
  /** A lower bound of measured variance: equal observations are equal because of rounding. */
  private static final double LEAST_VARIANCE = 1e-10;

  /**
   * Prior degrees of freedom of the variances used for planning. A wrong plan costs trials but does
   * not bias the answer; the variance of two or three trials would be misleading.
   */
  private static final double PLANNING_FREEDOM = 8;

  private final double sign;
  private final double priorFreedom;
  private int[] counts;
  private double[] means;
  private double[] squares;
  private double[] variances;
  private double[] planned;
  private boolean stale = true;
  private boolean scatterKnown;

  public TrialEvidence(int candidates, Rules rules) {
    sign = rules.sign();
    priorFreedom = rules.priorFreedom();
    counts = new int[candidates];
    means = new double[candidates];
    squares = new double[candidates];
    variances = new double[candidates];
    planned = new double[candidates];
  }

  /** Forgets all observations. */
  public void clear() {
    Arrays.fill(counts, 0);
    Arrays.fill(means, 0);
    Arrays.fill(squares, 0);
    stale = true;
  }

  @Override
  public void enter() {
    int size = counts.length + 1;
    counts = Arrays.copyOf(counts, size);
    means = Arrays.copyOf(means, size);
    squares = Arrays.copyOf(squares, size);
    variances = new double[size];
    planned = new double[size];
    stale = true;
  }

  @Override
  public void add(Block block) {
    for (int i = 0; i < block.candidates().size(); i++) {
      add(block.candidates().get(i), block.values().get(i));
    }
  }

  /**
   * Adds the result of one trial.
   *
   * @param value positive, in the metric's unit
   */
  public void add(int candidate, double value) {
    if (!(value > 0 && value < Double.POSITIVE_INFINITY)) {
      throw new IllegalArgumentException("a ratio needs positive observations, not " + value);
    }
    counts[candidate]++;
    double above = value - means[candidate];
    means[candidate] += above / counts[candidate];
    squares[candidate] += above * (value - means[candidate]);
    stale = true;
  }

  /** Returns the candidate with the best mean; −1 if none was measured. */
  public int best() {
    int best = -1;
    for (int i = 0; i < counts.length; i++) {
      if (counts[i] > 0 && (best < 0 || sign * means[i] > sign * means[best])) {
        best = i;
      }
    }
    return best;
  }

  /** Returns a lower bound of the probability that a choice is within δ of the best. */
  public double probabilityGood(int choice, Rules rules) {
    return Posterior.good(this, choice, rules.band());
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
    return counts[candidate] == 0 || counts[other] == 0
        ? Double.NaN
        : sign * Math.log(means[candidate] / means[other]);
  }

  @Override
  public double standardError(int candidate, int other) {
    refresh();
    return scatterKnown && counts[candidate] > 0 && counts[other] > 0
        ? Math.sqrt(ofMean(candidate) + ofMean(other))
        : Double.POSITIVE_INFINITY;
  }

  @Override
  public double freedom(int candidate, int other) {
    double one = ofMean(candidate);
    double two = ofMean(other);
    double sum = one + two;
    return sum
        * sum
        / (one * one / (priorFreedom + counts[candidate] - 1)
            + two * two / (priorFreedom + counts[other] - 1));
  }

  /** Returns the squared coefficient of variation; 1 for all if the variance is unknown. */
  double variance(int candidate) {
    refresh();
    return variances[candidate];
  }

  /** Returns the squared coefficient of variation for planning, which is pooled more strongly. */
  double plannedVariance(int candidate) {
    refresh();
    return planned[candidate];
  }

  private double ofMean(int candidate) {
    return variance(candidate) / counts[candidate];
  }

  private void refresh() {
    if (!stale) {
      return;
    }
    double sum = 0;
    int freedom = 0;
    for (int i = 0; i < counts.length; i++) {
      if (counts[i] > 1) {
        sum += relativeSquares(i);
        freedom += counts[i] - 1;
      }
    }
    scatterKnown = freedom > 0;
    double pooled = scatterKnown ? Math.max(LEAST_VARIANCE, sum / freedom) : 1;
    for (int i = 0; i < counts.length; i++) {
      double own = counts[i] > 1 ? relativeSquares(i) : 0;
      int more = Math.max(0, counts[i] - 1);
      variances[i] = (priorFreedom * pooled + own) / (priorFreedom + more);
      planned[i] = (PLANNING_FREEDOM * pooled + own) / (PLANNING_FREEDOM + more);
    }
    stale = false;
  }

  private double relativeSquares(int candidate) {
    return squares[candidate] / (means[candidate] * means[candidate]);
  }
}
