package io.slicewise.stats;

/**
 * The practical band ±δ around "no change": changes inside it are too small to matter.
 *
 * <p>Worked example: ±2 % reaches from −0.020203 to 0.019803 on the scale of log ratios.
 *
 * @param delta as a share, e.g. 0.02 for ±2 %; between 0 and 1
 */
public record Band(double delta) {
  /** ±2 %. */
  public static final Band DEFAULT = new Band(0.02);

  public Band {
    if (!(delta > 0 && delta < 1)) {
      throw new IllegalArgumentException("a band must be between 0 and 1, not " + delta);
    }
  }

  /** ln(1 − δ): the lower edge on the scale of log ratios. */
  public double low() {
    return Math.log1p(-delta);
  }

  /** ln(1 + δ): the upper edge on the scale of log ratios. */
  public double high() {
    return Math.log1p(delta);
  }

  /** Whether an interval on log ratios excludes "no change" and reaches beyond the band. */
  public boolean isExceededBy(double low, double high) {
    return (low > 0 && high > high()) || (high < 0 && low < low());
  }
}
