package io.slicewise.stats.factorial;

import io.slicewise.stats.Effect;
import io.slicewise.stats.Estimate;
import io.slicewise.stats.StudentInterval;
import java.util.List;

/**
 * The effect that a contrast of cells has: Σ w·y over the cells, y = ln x.
 *
 * <ul>
 *   <li>In blocks: the contrast d_b of each block, d̄ ± t(B−1)·s_d/√B. What slows a whole block
 *       cancels since the weights add to 0, and neither equal scatter of the cells nor effects that
 *       are the same in all blocks are assumed. Residuals pooled over all contrasts would have more
 *       degrees of freedom, and be wrong where either is not so.
 *   <li>Independent: Σ w·ȳ with se² = Σ w²·s²/n and Satterthwaite's degrees of freedom se⁴ / Σ
 *       (w²·s²/n)²/(n−1): for two cells with weights ±1 it is Welch's t.
 * </ul>
 *
 * <p>Source: R. A. Fisher, <i>The Design of Experiments</i> (1935), chapter 6; F. E. Satterthwaite,
 * <i>An approximate distribution of estimates of variance components</i>, Biometrics Bulletin 2
 * (1946).
 *
 * <p>Worked example: cells 1, 3 and 2, 6 with weights −1 and 1. In blocks: d = 1, 3, so 2 with s =
 * 1.414214 and standard error 1. Independent: 4 − 2 = 2, se² = 1 + 4, degrees of freedom 25 / (1 +
 * 16) = 1.470588.
 */
public final class ContrastEffect {
  /** Of estimates whose intervals are not used. */
  private static final double CONFIDENCE = 0.95;

  private ContrastEffect() {}

  /**
   * The effect in complete blocks; without an interval for fewer than two.
   *
   * @param logs by cell; those with the same index are of one block
   */
  public static Effect blocked(List<Double> weights, List<double[]> logs) {
    double[] contrasts = new double[logs.get(0).length];
    for (int cell = 0; cell < logs.size(); cell++) {
      for (int block = 0; block < contrasts.length; block++) {
        contrasts[block] += weights.get(cell) * logs.get(cell)[block];
      }
    }
    Estimate mean = StudentInterval.of(CONFIDENCE, contrasts);
    return new Effect(
        mean.mean(), mean.deviation() / Math.sqrt(mean.n()), mean.n() - 1.0, mean.n());
  }

  /**
   * The effect of independent observations; without an interval if a cell has fewer than two.
   *
   * @param logs at least one by cell
   */
  public static Effect independent(List<Double> weights, List<double[]> logs) {
    double value = 0;
    double squared = 0;
    double spread = 0;
    int fewest = Integer.MAX_VALUE;
    for (int cell = 0; cell < logs.size(); cell++) {
      double weight = weights.get(cell);
      if (weight != 0) {
        Estimate mean = StudentInterval.of(CONFIDENCE, logs.get(cell));
        double error = weight * mean.deviation();
        double part = error * error / mean.n();
        value += weight * mean.mean();
        squared += part;
        spread += part * part / (mean.n() - 1);
        fewest = Math.min(fewest, mean.n());
      }
    }
    double freedom = squared == 0 ? fewest - 1.0 : squared * squared / spread;
    return new Effect(value, Math.sqrt(squared), freedom, fewest);
  }
}
