package io.slicewise.stats;

import java.util.Arrays;
import org.apache.commons.math3.stat.StatUtils;

/** What the procedures of this room share: checking observations, and their first two moments. */
final class Sample {
  private Sample() {}

  /**
   * The same observations, after seeing that each is a number.
   *
   * @throws IllegalArgumentException if one is infinite or {@code NaN}
   */
  static double[] checked(double[] observations) {
    for (double x : observations) {
      if (!Double.isFinite(x)) {
        throw new IllegalArgumentException("an observation is not a number: " + x);
      }
    }
    return observations;
  }

  /**
   * Natural logarithms of positive observations.
   *
   * @throws IllegalArgumentException if one is not positive: it has no logarithm, hence no ratio
   */
  static double[] logs(double[] observations) {
    for (double x : checked(observations)) {
      if (x <= 0) {
        throw new IllegalArgumentException("a ratio needs positive observations, not " + x);
      }
    }
    return Arrays.stream(observations).map(Math::log).toArray();
  }

  /** {@code NaN} for no observations. */
  static double mean(double[] observations) {
    return observations.length == 0 ? Double.NaN : StatUtils.mean(observations);
  }

  /** Sample deviation (n − 1); {@code NaN} for fewer than two observations. */
  static double deviation(double[] observations) {
    return observations.length < 2 ? Double.NaN : Math.sqrt(StatUtils.variance(observations));
  }

  /** Refuses a confidence outside (0, 1). */
  static double checkedConfidence(double confidence) {
    if (!(confidence > 0 && confidence < 1)) {
      throw new IllegalArgumentException("confidence must lie between 0 and 1, not " + confidence);
    }
    return confidence;
  }
}
