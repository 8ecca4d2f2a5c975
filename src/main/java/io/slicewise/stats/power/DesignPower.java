package io.slicewise.stats.power;

import org.apache.commons.math3.analysis.solvers.BrentSolver;

/**
 * The power of a blocked design, before a trial is run: the smallest change that it detects with 80
 * % probability.
 *
 * <p>A comparison within B blocks is a t test of B log ratios with deviation √2·σ, σ² = ln(1 +
 * CV²). With m comparisons the level is 0.05/m: Holm's first step, so the power is that of finding
 * the first effect. The power is exact by {@link NoncentralT}.
 *
 * <p>Source: J. Cohen, <i>Statistical Power Analysis for the Behavioral Sciences</i> (2nd ed.
 * 1988), chapter 2, with the non-central t instead of its tables.
 *
 * <p>Worked example: 6 blocks, CV 2.7 %, 5 comparisons: level 0.01, deviation of a difference 3.82
 * %; solving power = 0.8 for the change gives 8.386 %.
 *
 * @param blocks repetitions of each cell
 * @param cv scatter of a trial within its cell and block, as a share
 * @param comparisons in the family, at least 1
 */
public record DesignPower(int blocks, double cv, int comparisons) {
  private static final double LEVEL = 0.05;
  private static final double POWER = 0.8;

  public DesignPower {
    if (!(cv >= 0) || comparisons < 1) {
      throw new IllegalArgumentException(
          "cv must not be negative and there must be at least 1 comparison, not %s, %s"
              .formatted(cv, comparisons));
    }
  }

  /** Whether any effect, however large, can become significant; false for a single block. */
  public boolean canReachSignificance() {
    return blocks >= 2;
  }

  /**
   * Whether a significant result assumes normal log ratios: with so few blocks, the smallest p of a
   * test without that assumption (all signs equal: 2^(1−B)) is above the level.
   */
  public boolean restsOnNormality() {
    return Math.pow(2, 1 - blocks) > LEVEL / comparisons;
  }

  /**
   * The smallest change that is detected with 80 % probability, as a share (0.077 = +7.7 %); {@code
   * NaN} if none can be, infinite if it exceeds every number.
   */
  public double smallestEffect() {
    if (!canReachSignificance()) {
      return Double.NaN;
    }
    double error = Math.sqrt(2 * Math.log1p(cv * cv) / blocks);
    return Math.expm1(error * noncentrality(blocks - 1.0, comparisons));
  }

  /** The distance from 0, in standard errors, that is detected with the power. */
  static double noncentrality(double freedom, int comparisons) {
    double level = LEVEL / comparisons;
    double most = 1;
    while (NoncentralT.power(level, freedom, most) < POWER) {
      most *= 2;
    }
    return new BrentSolver(1e-12, 1e-12)
        .solve(200, delta -> NoncentralT.power(level, freedom, delta) - POWER, 0, most);
  }
}
