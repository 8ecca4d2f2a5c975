package io.slicewise.stats;

import java.util.Arrays;
import org.apache.commons.math3.stat.StatUtils;

/** Checks observations and computes their first two moments, for all procedures of this package. */
public final class Sample {
  private Sample() {}

  /**
   * Returns the same observations after checking that each is a number.
   *
   * @throws IllegalArgumentException if one is infinite or {@code NaN}
   */
  public static double[] checked(double[] observations) {
    for (double x : observations) {
      if (!Double.isFinite(x)) {
        throw new IllegalArgumentException("not a number: " + x);
      }
    }
    return observations;
  }

  /**
   * Natural logarithms of positive observations.
   *
   * @throws IllegalArgumentException if one is not positive, so has no logarithm
   */
  public static double[] logs(double[] observations) {
    for (double x : checked(observations)) {
      if (x <= 0) {
        throw new IllegalArgumentException("ratios need positive observations, not " + x);
      }
    }
    return Arrays.stream(observations).map(Math::log).toArray();
  }

  /** {@code NaN} for no observations. */
  public static double mean(double[] observations) {
    return observations.length == 0 ? Double.NaN : StatUtils.mean(observations);
  }

  /** The median of the first {@code n} values, which are in ascending order; n is at least 1. */
  public static double median(double[] sorted, int n) {
    return (sorted[(n - 1) / 2] + sorted[n / 2]) / 2;
  }

  /** Sample deviation (n − 1); {@code NaN} for fewer than two observations. */
  public static double deviation(double[] observations) {
    return observations.length < 2 ? Double.NaN : Math.sqrt(StatUtils.variance(observations));
  }

  /** Refuses a confidence outside (0, 1). */
  public static double checkedConfidence(double confidence) {
    if (!(confidence > 0 && confidence < 1)) {
      throw new IllegalArgumentException(
          "the confidence must be between 0 and 1, not " + confidence);
    }
    return confidence;
  }
}
