package io.slicewise.stats;

/**
 * The effect of a setting against a baseline that was not measured in the same blocks (another
 * night): Welch's t on logarithms. d = ȳ − ȳ₀ with y = ln x, se² = s²/n + s₀²/n₀, degrees of
 * freedom se⁴ / ((s²/n)²/(n−1) + (s₀²/n₀)²/(n₀−1)).
 *
 * <p>Source: B. L. Welch, <i>The generalization of "Student's" problem when several different
 * population variances are involved</i>, Biometrika 34 (1947).
 *
 * <p>Worked example: logs 1, 2, 3 against 2, 4, 6: d = −2, se² = 1/3 + 4/3, se = 1.290994, degrees
 * of freedom = (5/3)² / ((1/3)²/2 + (4/3)²/2) = 2.941176.
 */
public final class WelchEffect {
  private WelchEffect() {}

  /**
   * The effect; without an interval when a side has fewer than two observations.
   *
   * @throws IllegalArgumentException if a value is not positive
   */
  public static Effect of(double[] observations, double[] baseline) {
    Difference difference =
        Difference.independent(Sample.logs(observations), Sample.logs(baseline));
    return new Effect(
        difference.value(),
        difference.standardError(),
        difference.degreesOfFreedom(),
        Math.min(observations.length, baseline.length));
  }
}
