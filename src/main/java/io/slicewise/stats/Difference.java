package io.slicewise.stats;

import java.util.Arrays;

/**
 * How far apart two means are, in the unit of the observations: {@code value} ± t·{@code
 * standardError}.
 *
 * <p>Source: Student, <i>The probable error of a mean</i>, Biometrika 6 (1908), for pairs; B. L.
 * Welch, <i>The generalization of "Student's" problem when several different population variances
 * are involved</i>, Biometrika 34 (1947), for independent observations: se² = s²/n + s₀²/n₀,
 * degrees of freedom se⁴ / ((s²/n)²/(n−1) + (s₀²/n₀)²/(n₀−1)).
 *
 * <p>Worked example: 1, 2, 3 against 2, 4, 6. Independent: −2, se² = 1/3 + 4/3, se = 1.290994,
 * degrees of freedom = (5/3)² / ((1/3)²/2 + (4/3)²/2) = 2.941176. Paired: −2, s = 1, se = 0.577350
 * with 2 degrees of freedom, so the 95 % interval is −2 ± 2.484138.
 *
 * @param from mean of the reference
 * @param to mean of the other side
 * @param standardError of their difference; {@code NaN} for fewer than two observations
 * @param degreesOfFreedom of Student's t; need not be whole
 */
public record Difference(double from, double to, double standardError, double degreesOfFreedom) {
  /**
   * Compares observations of the same blocks.
   *
   * @throws IllegalArgumentException if the numbers of observations differ
   */
  public static Difference paired(double[] observations, double[] reference) {
    if (observations.length != reference.length) {
      throw new IllegalArgumentException(
          "both sides need one observation per block: %d and %d"
              .formatted(observations.length, reference.length));
    }
    double[] differences = Sample.checked(observations).clone();
    Arrays.setAll(differences, b -> differences[b] - reference[b]);
    return new Difference(
        Sample.mean(reference),
        Sample.mean(observations),
        Sample.deviation(differences) / Math.sqrt(differences.length),
        differences.length - 1.0);
  }

  /** Compares observations that share no block. */
  public static Difference independent(double[] observations, double[] reference) {
    double part = squaredError(Sample.checked(observations));
    double otherPart = squaredError(Sample.checked(reference));
    double squared = part + otherPart;
    double freedom =
        squared == 0
            ? Math.min(observations.length, reference.length) - 1.0
            : squared
                * squared
                / (part * part / (observations.length - 1)
                    + otherPart * otherPart / (reference.length - 1));
    return new Difference(
        Sample.mean(reference), Sample.mean(observations), Math.sqrt(squared), freedom);
  }

  private static double squaredError(double[] values) {
    double deviation = Sample.deviation(values);
    return deviation * deviation / values.length;
  }

  /** The estimate: how much larger the mean is than the reference's. */
  public double value() {
    return to - from;
  }

  /** The lower end of the interval; {@code NaN} when there is none. */
  public double low(double confidence) {
    return value() - halfWidth(confidence);
  }

  /** The upper end of the interval; {@code NaN} when there is none. */
  public double high(double confidence) {
    return value() + halfWidth(confidence);
  }

  private double halfWidth(double confidence) {
    return Double.isNaN(standardError)
        ? Double.NaN
        : StudentT.factor(confidence, degreesOfFreedom) * standardError;
  }
}
