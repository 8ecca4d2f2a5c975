package io.slicewise.stats.power;

import io.slicewise.stats.SessionEffect;
import java.util.OptionalInt;

/**
 * What sessions can show before they are run: the smallest change that is detected with 80 %
 * probability, and how many blocks of trials would detect the same.
 *
 * <p>The effect of a profile has the standard error √((τ² + σ²/B)/S), with S − 1 degrees of freedom
 * from three sessions on; for one session or two √(σ²/(S·B)) with S·(B − 1), without what a restart
 * changes. The level is 0.05/m, Holm's first step.
 *
 * <p>Source: as {@link DesignPower}; M. R. Chernick and C. Y. Liu, <i>The saw-toothed behavior of
 * power versus sample size</i>, The American Statistician 56 (2002), on searching the number.
 *
 * <p>Worked example: 3 sessions of 10 blocks, σ = 7.07 %, τ = 0, one comparison: standard error
 * 1.291 %, 2 degrees of freedom: +7.6 %.
 *
 * @param within σ, the deviation of a block's log ratio within its session
 * @param between τ, the deviation of the effect between sessions
 * @param comparisons in the family, at least 1
 */
public record SwitchedPower(
    int sessions, int blocks, double within, double between, int comparisons) {
  private static final int MOST_BLOCKS = 1_000;

  public SwitchedPower {
    if (!(within >= 0) || !(between >= 0) || comparisons < 1) {
      throw new IllegalArgumentException(
          "scatter must not be negative and there must be at least 1 comparison, not %s, %s, %s"
              .formatted(within, between, comparisons));
    }
  }

  /** Returns the change as a share; {@code NaN} if a single block can detect none. */
  public double smallestEffect() {
    boolean replicated = sessions >= SessionEffect.REPLICATES;
    double freedom = replicated ? sessions - 1 : sessions * (blocks - 1);
    if (freedom < 1) {
      return Double.NaN;
    }
    double variance =
        replicated
            ? (between * between + within * within / blocks) / sessions
            : within * within / (sessions * (double) blocks);
    return Math.expm1(Math.sqrt(variance) * DesignPower.noncentrality(freedom, comparisons));
  }

  /** Returns the least number of blocks of trials that detect a change; empty beyond a thousand. */
  public static OptionalInt blocksOfTrials(double change, double cv, int comparisons) {
    int low = 1;
    int high = MOST_BLOCKS;
    if (!(new DesignPower(high, cv, comparisons).smallestEffect() <= change)) {
      return OptionalInt.empty();
    }
    while (high - low > 1) {
      int middle = (low + high) / 2;
      if (new DesignPower(middle, cv, comparisons).smallestEffect() <= change) {
        high = middle;
      } else {
        low = middle;
      }
    }
    return OptionalInt.of(high);
  }
}
