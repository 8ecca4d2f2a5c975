package io.slicewise.stats;

import java.util.OptionalInt;

/**
 * The four verdicts on an effect against a practical band ±δ.
 *
 * <p>{@link #BETTER} and {@link #WORSE} need the whole 95 % interval beyond the band and, in a
 * family of comparisons, an adjusted p below 0.05 as well; {@link #SAME} needs an equally adjusted
 * p of {@link Equivalence} below 0.05, which is for one comparison a 90 % interval inside the band;
 * everything else is {@link #UNCLEAR}.
 *
 * <p>Source: J. L. Rogers, K. I. Howard and J. T. Vessey, <i>Using significance tests to evaluate
 * equivalence between two experimental groups</i>, Psychological Bulletin 113 (1993), on testing
 * difference and equivalence together.
 *
 * <p>Worked example, band ±2 %, more is better: [+3, +8] is better; [−1, +1] at 90 % is the same;
 * [+1, +6] is unclear, although it excludes zero; [−9, −3] is worse.
 */
public enum Verdict {
  BETTER,
  WORSE,
  SAME,
  UNCLEAR;

  private static final double LEVEL = 0.05;
  private static final int MOST_BLOCKS = 1000;

  /**
   * The verdict.
   *
   * @param adjustedP the p adjusted for the family; {@code NaN} for an effect outside any family,
   *     which is then judged only by its interval
   * @param equivalenceP of {@link Equivalence}, adjusted for the family if there is one
   * @param moreIsBetter whether a rise is a gain, as for throughput
   */
  public static Verdict of(
      Effect effect, double adjustedP, double equivalenceP, Band band, boolean moreIsBetter) {
    if (Double.isNaN(effect.standardError())) {
      return UNCLEAR;
    }
    if (equivalenceP < LEVEL) {
      return SAME;
    }
    double half = effect.halfWidth(1 - LEVEL);
    boolean shown = !(adjustedP >= LEVEL);
    if (shown && effect.logRatio() - half > band.high()) {
      return moreIsBetter ? BETTER : WORSE;
    }
    if (shown && effect.logRatio() + half < band.low()) {
      return moreIsBetter ? WORSE : BETTER;
    }
    return UNCLEAR;
  }

  /**
   * The verdict of pairs, as of a tune's confirmation: the same where the interval is inside the
   * band, else changed where it excludes "no change".
   *
   * @param moreIsBetter whether a rise is a gain
   */
  public static Verdict of(CoinBets bets, Band band, boolean moreIsBetter) {
    if (bets.low() > band.low() && bets.high() < band.high()) {
      return SAME;
    }
    return bets.low() <= 0 && bets.high() >= 0
        ? UNCLEAR
        : bets.low() > 0 == moreIsBetter ? BETTER : WORSE;
  }

  /** Whether a change is shown. */
  public boolean isChange() {
    return this == BETTER || this == WORSE;
  }

  /**
   * The number of additional blocks that an unclear effect needs, assuming the same effect and
   * variance: the least n for which t·s_d/√n reaches the nearer edge of the band. Empty if the
   * variance is unknown or a thousand blocks are not enough (the estimate is at the edge).
   *
   * @param comparisons in the family; the confidence is Bonferroni's, which Holm's never exceeds
   */
  public static OptionalInt moreBlocks(Effect effect, Band band, int comparisons) {
    double d = effect.logRatio();
    boolean inside = d > band.low() && d < band.high();
    double distance = Math.min(Math.abs(d - band.low()), Math.abs(d - band.high()));
    double confidence = 1 - (inside ? 2 : 1) * LEVEL / Math.max(1, comparisons);
    double deviation = effect.standardError() * Math.sqrt(effect.n());
    int needed = Repetitions.needed(deviation, distance, confidence).orElse(MOST_BLOCKS + 1);
    return needed > MOST_BLOCKS
        ? OptionalInt.empty()
        : OptionalInt.of(Math.max(1, needed - effect.n()));
  }
}
