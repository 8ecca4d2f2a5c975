package io.slicewise.stats;

/**
 * Intervals for a mean that are valid simultaneously: checking after every trial and stopping when
 * the interval is narrow enough keeps the coverage. Exact for normal observations of unknown
 * variance.
 *
 * <p>For each candidate mean μ the ratio of the likelihood under "effect size ~ N(0, g)" to that
 * under "no effect", both averaged over the unknown scale by Haar's measure, is a martingale under
 * μ; by Ville's inequality it ever reaches 1/α with probability at most α. With ν = n − 1, r = 1 +
 * n·g and t = (x̄ − μ)·√n/s it is r^(−1/2)·((1 + t²/ν)/(1 + t²/(r·ν)))^(n/2); those μ for which it
 * stays below 1/α form the interval: with K = (√r/α)^(2/n), x̄ ± s/√n·√(ν·(K−1)/(1 − K/r)), and the
 * whole line while K ≥ r.
 *
 * <p>Source: T. L. Lai, <i>On confidence sequences</i>, Annals of Statistics 4 (1976); H. Wang and
 * A. Ramdas, <i>Anytime-valid t-tests and confidence sequences for Gaussian means with unknown
 * variance</i>, Sequential Analysis 44 (2025), section 4, of which this is the Gaussian mixture.
 *
 * <p>Worked example: 95 %, g = 25, n = 10: r = 251, K = (15.8430/0.05)^0.2 = 3.16354, half-width =
 * s/√10·√(9·2.16354/0.987396) = 1.40429·s; a single look has 0.71536·s.
 *
 * @param g variance of the mixture over effect sizes, positive; fixed before the first look
 */
public record ConfidenceSequence(double g, double confidence) {
  private static final double LEAST_LOG = -8;
  private static final double MOST_LOG = 20;
  private static final double STEP = 0.05;

  public ConfidenceSequence {
    if (!(g > 0)) {
      throw new IllegalArgumentException("the variance of the mixture must be positive, not " + g);
    }
    Sample.checkedConfidence(confidence);
  }

  /**
   * Returns the sequence that is narrowest after {@code n} observations, among all g = e^(k/20); it
   * is also valid after any other number.
   */
  public static ConfidenceSequence narrowestAt(int n, double confidence) {
    double best = 1;
    double least = Double.POSITIVE_INFINITY;
    for (double log = LEAST_LOG; log <= MOST_LOG; log += STEP) {
      double width = factor(n, Math.exp(log), confidence);
      if (width < least) {
        least = width;
        best = Math.exp(log);
      }
    }
    return new ConfidenceSequence(best, confidence);
  }

  /** The estimate after these observations; without an interval while it is the whole line. */
  public Estimate of(double... observations) {
    int n = Sample.checked(observations).length;
    double mean = Sample.mean(observations);
    double deviation = Sample.deviation(observations);
    double factor = n < 2 ? Double.NaN : factor(n, g, confidence);
    double half = Double.isInfinite(factor) ? Double.NaN : factor * deviation;
    return new Estimate(mean, deviation, n, mean - half, mean + half, confidence);
  }

  /**
   * Half the width in units of the sample deviation; infinite while there are too few observations.
   */
  private static double factor(int n, double g, double confidence) {
    double r = 1 + n * g;
    double k = Math.pow(Math.sqrt(r) / (1 - confidence), 2.0 / n);
    return k >= r ? Double.POSITIVE_INFINITY : Math.sqrt((n - 1) * (k - 1) / (1 - k / r) / n);
  }
}
