package io.slicewise.stats;

/**
 * How much larger one thing is than another, as a ratio estimated on logarithms: {@code logRatio} ±
 * t·{@code standardError}. One effect gives its interval at any confidence and its test.
 *
 * <p>Worked example: log ratio 0.1, standard error 0.03, 5 degrees of freedom: +10.5 % with 95 %
 * from +2.3 to +19.4 %, p = 0.0207.
 *
 * @param logRatio estimate of ln(thing / other)
 * @param standardError of the log ratio; {@code NaN} when too few observations tell it
 * @param degreesOfFreedom of Student's t that goes with it; need not be whole
 * @param n blocks, or observations of the smaller side when not blocked
 */
public record Effect(double logRatio, double standardError, double degreesOfFreedom, int n) {
  /** Logarithms that differ by less are equal but for rounding. */
  private static final double ROUNDING = 1e-12;

  /** The same, were the log ratio so much larger. */
  public Effect moved(double by) {
    return new Effect(logRatio + by, standardError, degreesOfFreedom, n);
  }

  /** The same, known no better than that; one without a standard error stays without. */
  public Effect withStandardErrorOfAtLeast(double least) {
    return new Effect(logRatio, Math.max(standardError, least), degreesOfFreedom, n);
  }

  /** The change in percent: 100·(e^d − 1). */
  public double percent() {
    return percent(logRatio);
  }

  /** The lower end of the change's interval in percent; {@code NaN} when there is none. */
  public double lowPercent(double confidence) {
    return percent(logRatio - halfWidth(confidence));
  }

  /** The upper end of the change's interval in percent; {@code NaN} when there is none. */
  public double highPercent(double confidence) {
    return percent(logRatio + halfWidth(confidence));
  }

  /** Half the interval's width on the scale of logarithms. */
  public double halfWidth(double confidence) {
    return Double.isNaN(standardError)
        ? Double.NaN
        : StudentT.factor(confidence, degreesOfFreedom) * standardError;
  }

  /** Two-sided p of "no change"; {@code NaN} when it cannot be tested. */
  public double pValue() {
    return 2 * Math.min(pBelow(0), pAbove(0));
  }

  /** One-sided p of "the log ratio is at least {@code bound}": small when it lies below. */
  double pBelow(double bound) {
    return tail(logRatio - bound);
  }

  /** One-sided p of "the log ratio is at most {@code bound}": small when it lies above. */
  double pAbove(double bound) {
    return tail(bound - logRatio);
  }

  /** P(T ≤ distance / se). Without scatter the answer is certain, and even at distance nought. */
  private double tail(double distance) {
    if (Double.isNaN(standardError) || Double.isNaN(distance)) {
      return Double.NaN;
    }
    if (standardError < ROUNDING) {
      return Math.abs(distance) < ROUNDING ? 0.5 : distance < 0 ? 0 : 1;
    }
    return StudentT.cumulative(distance / standardError, degreesOfFreedom);
  }

  private static double percent(double logRatio) {
    return 100 * Math.expm1(logRatio);
  }
}
