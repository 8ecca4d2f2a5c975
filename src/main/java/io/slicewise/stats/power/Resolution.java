package io.slicewise.stats.power;

/** Whether data can show a change at all, or only that they are too few or too scattered. */
public final class Resolution {
  /** Replaces an interval or a change that is too wide to use. */
  public static final String NONE = "not measurable with these windows";

  /** The same for the cell of a table. */
  public static final String NONE_SHORT = "not measurable";

  /** In percent: ten times more is beyond any setting of a scheduler. */
  private static final double WIDEST = 1000;

  private static final double FARTHEST = 100_000;

  private Resolution() {}

  /**
   * Whether an interval in percent is too wide to mean anything; one of {@code NaN} is not, nor is
   * one that shows a rise of up to a thousandfold.
   */
  public static boolean isTooWide(double low, double high) {
    return high - low > WIDEST && (low <= 0 || high > FARTHEST);
  }

  /** Whether a change in percent is too large to be looked for. */
  public static boolean isTooLarge(double change) {
    return change > WIDEST;
  }
}
