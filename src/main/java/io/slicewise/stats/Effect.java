package io.slicewise.stats;

/**
 * The ratio of one quantity to another, estimated on logarithms: {@code logRatio} ± t·{@code
 * standardError}. It provides intervals at any confidence, and a test.
 *
 * <p>Worked example: log ratio 0.1, standard error 0.03, 5 degrees of freedom: +10.5 % with 95 %
 * from +2.3 to +19.4 %, p = 0.0207.
 *
 * @param logRatio estimate of ln(thing / other)
 * @param standardError of the log ratio; {@code NaN} if there are too few observations
 * @param degreesOfFreedom of the corresponding Student's t; need not be whole
 * @param n blocks, or observations of the smaller side when not blocked
 */
public record Effect(double logRatio, double standardError, double degreesOfFreedom, int n) {
  /** Logarithms that differ by less are equal apart from rounding. */
  private static final double ROUNDING = 1e-12;

  /** Returns this effect with its log ratio increased by {@code by}. */
  public Effect moved(double by) {
    return new Effect(logRatio + by, standardError, degreesOfFreedom, n);
  }

  /**
   * Returns this effect with a standard error of at least {@code least}; one without a standard
   * error is unchanged.
   */
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

  /** The change with its interval. */
  public Change change(double confidence) {
    return new Change(percent(), lowPercent(confidence), highPercent(confidence));
  }

  /**
   * A change in percent with its interval.
   *
   * @param low lower end of the interval; {@code NaN} if there is none
   * @param high upper end, likewise
   */
  public record Change(double percent, double low, double high) {
    public static final Change UNKNOWN = new Change(Double.NaN, Double.NaN, Double.NaN);
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

  /** One-sided p of "the log ratio is at least {@code bound}": small if it is below. */
  double pBelow(double bound) {
    return tail(logRatio - bound);
  }

  /** One-sided p of "the log ratio is at most {@code bound}": small if it is above. */
  double pAbove(double bound) {
    return tail(bound - logRatio);
  }

  /** P(T ≤ distance / se). Without scatter the result is certain: 0 or 1, and ½ at distance 0. */
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
