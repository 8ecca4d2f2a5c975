package io.slicewise.tune;

/**
 * The rules of a race, fixed before it starts.
 *
 * @param lowerIsBetter whether the metric is better when smaller, as a response time is
 * @param within δ, the distance to the best that is good enough, as a share, e.g. 0.05
 * @param confidence of a claim at the end of the budget
 * @param stop probability of a good selection that ends the race before the budget does
 * @param leave probability of being within δ of the best below which a candidate leaves
 * @param firstBlocks n₀, observations per candidate before the race may stop
 * @param priorFreedom degrees of freedom with which the variance pooled over all candidates counts
 *     in the variance of each
 */
public record Rules(
    boolean lowerIsBetter,
    double within,
    double confidence,
    double stop,
    double leave,
    int firstBlocks,
    double priorFreedom) {
  /** Highest metric, within 5 %, 95 % confidence; stop at 0.99 after three blocks. */
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

  /** The same rules for the other direction of the metric. */
  public Rules lowest() {
    return new Rules(true, within, confidence, stop, leave, firstBlocks, priorFreedom);
  }

  /** The same rules with another δ and another confidence of the claim. */
  public Rules claiming(double good, double confident) {
    return new Rules(lowerIsBetter, good, confident, stop, leave, firstBlocks, priorFreedom);
  }

  /** δ on the scale of logarithms, where more is better: −ln(1 − δ), or ln(1 + δ) for times. */
  double band() {
    return lowerIsBetter ? Math.log1p(within) : -Math.log1p(-within);
  }

  /** +1 where more is better, −1 where less is. */
  double sign() {
    return lowerIsBetter ? -1 : 1;
  }

  private static void checkShare(String name, double share) {
    if (!(share > 0 && share < 1)) {
      throw new IllegalArgumentException(name + " must be between 0 and 1, not " + share);
    }
  }
}
