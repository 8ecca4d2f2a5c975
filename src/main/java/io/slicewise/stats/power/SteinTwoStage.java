package io.slicewise.stats.power;

import io.slicewise.stats.Estimate;
import io.slicewise.stats.Sample;
import io.slicewise.stats.StudentT;

/**
 * Stein's two-stage procedure: an interval with a half-width chosen beforehand and exact coverage,
 * whatever the scatter. A first stage of n₀ repetitions estimates s₀; the total is N = max(n₀,
 * ⌈(t(n₀−1)·s₀/h)²⌉); the interval over all N keeps s₀ and n₀ − 1: x̄_N ± t(n₀−1)·s₀/√N.
 *
 * <p>Source: C. Stein, <i>A two-sample test for a linear hypothesis whose power is independent of
 * the variance</i>, Annals of Mathematical Statistics 16 (1945).
 *
 * <p>Worked example: first stage 98, 100, 102, 104, 96 (s₀ = 3.162278), half-width 2: (2.776445 ·
 * 3.162278 / 2)² = 19.27, so 20 repetitions in all.
 *
 * @param first repetitions in the first stage, at least 2
 * @param deviation s₀ of the first stage
 */
public record SteinTwoStage(int first, double deviation, double confidence) {
  public SteinTwoStage {
    if (first < 2 || !(deviation >= 0)) {
      throw new IllegalArgumentException(
          "a first stage needs two repetitions and their deviation, not " + first);
    }
    Sample.checkedConfidence(confidence);
  }

  /** Returns the procedure after a first stage. */
  public static SteinTwoStage after(double confidence, double... firstStage) {
    double deviation = Sample.deviation(Sample.checked(firstStage));
    return new SteinTwoStage(firstStage.length, deviation, confidence);
  }

  /**
   * The total number of repetitions, including the first stage, at most {@link Integer#MAX_VALUE}.
   *
   * @param halfWidth wanted, positive, in the unit of the observations
   */
  public int total(double halfWidth) {
    if (!(halfWidth > 0)) {
      throw new IllegalArgumentException("a half-width must be positive, not " + halfWidth);
    }
    double ratio = StudentT.factor(confidence, first - 1.0) * deviation / halfWidth;
    return (int) Math.max(first, Math.min(Integer.MAX_VALUE, Math.ceil(ratio * ratio)));
  }

  /** The interval over both stages. */
  public Estimate interval(double... all) {
    double mean = Sample.mean(Sample.checked(all));
    double half = StudentT.factor(confidence, first - 1.0) * deviation / Math.sqrt(all.length);
    return new Estimate(
        mean, Sample.deviation(all), all.length, mean - half, mean + half, confidence);
  }
}
