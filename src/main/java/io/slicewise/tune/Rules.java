package io.slicewise.tune;

/**
 * The rules of a race, fixed before it starts.
 *
 * @param lowerIsBetter whether the metric is better when smaller, as a response time is
 * @param within δ, the distance to the best that is good enough, as a share, e.g. 0.05
 * @param confidence of a claim at the end of the budget
 * @param stop probability of a good selection that ends the race before the budget does
 * @param leave the probability of being within δ of the best below which a candidate leaves
 * @param firstBlocks n₀, observations per candidate before the race may stop
 * @param priorFreedom weight, in degrees of freedom, of the pooled variance of all candidates in
 *     the variance of each
 */
public record Rules(
    boolean lowerIsBetter,
    double within,
    double confidence,
    double stop,
    double leave,
    int firstBlocks,
    double priorFreedom) {
  /**
   * The default rules: highest metric, within 5 %, 95 % confidence; stop at 0.99 after three
   * blocks.
   */
  public static final Rules DEFAULT = new Rules(false, 0.05, 0.95, 0.99, 0.001, 3, 2);

  public Rules {
    checkShare("within", within);
    checkShare("confidence", confidence);
    checkShare("stop", stop);
    checkShare("leave", leave);
    if (firstBlocks < 1 || !(priorFreedom > 0)) {
      throw new IllegalArgumentException(
          "a race needs a first block and prior degrees of freedom, not %d and %s"
              .formatted(firstBlocks, priorFreedom));
    }
  }

  /** Returns a copy in which a lower metric is better. */
  public Rules lowest() {
    return new Rules(true, within, confidence, stop, leave, firstBlocks, priorFreedom);
  }

  /** Returns a copy with another δ and another confidence. */
  public Rules claiming(double good, double confident) {
    return new Rules(lowerIsBetter, good, confident, stop, leave, firstBlocks, priorFreedom);
  }

  /**
   * Returns δ on the logarithmic scale, where more is better: −ln(1 − δ), or ln(1 + δ) for times.
   */
  public double band() {
    return lowerIsBetter ? Math.log1p(within) : -Math.log1p(-within);
  }

  /** Returns +1 if more is better, −1 if less is. */
  public double sign() {
    return lowerIsBetter ? -1 : 1;
  }

  private static void checkShare(String name, double share) {
    if (!(share > 0 && share < 1)) {
      throw new IllegalArgumentException(name + " must be between 0 and 1, not " + share);
    }
  }
}
