package io.slicewise.stats;

/**
 * The effect of a setting against a baseline measured in the same blocks: d_b = ln(x_b / base_b)
 * within block b, d̄ ± t(B−1)·s_d/√B, reported as 100·(e^d − 1) %. Anything that slows a whole
 * block slows both sides and cancels.
 *
 * <p>Source: the paired t procedure; R. A. Fisher, <i>The Design of Experiments</i> (1935), chapter
 * 3; on logarithms since effects of settings are ratios.
 *
 * <p>Worked example: baseline 100, 110, 90 and setting 110, 121, 99: every d_b = ln 1.1, so +10.0 %
 * with s_d = 0. With a setting of 110, 115, 99: d = 0.09531, 0.04445, 0.09531, d̄ = 0.07836, s_d =
 * 0.02936, half-width 4.302653·0.02936/√3 = 0.07294, so +8.2 % [+0.5, +16.3].
 */
public final class BlockedEffect {
  private BlockedEffect() {}

  /**
   * The effect; without an interval for fewer than two blocks.
   *
   * @param observations one per block, positive
   * @param baseline of the same blocks in the same order, positive
   * @throws IllegalArgumentException if the lengths differ or a value is not positive
   */
  public static Effect of(double[] observations, double[] baseline) {
    Difference difference = Difference.paired(Sample.logs(observations), Sample.logs(baseline));
    return new Effect(
        difference.value(),
        difference.standardError(),
        difference.degreesOfFreedom(),
        observations.length);
  }
}
