package io.slicewise.base.units;

import java.math.BigDecimal;
import java.util.regex.Pattern;

/** Parses and prints shares (0..1) as percentages with the sign: {@code 0.5%}. */
public final class PercentText {
  /** A regular expression for valid text, for schemas. */
  public static final String PATTERN = "^(100(\\.0+)?|[0-9]{1,2}(\\.[0-9]+)?)%$";

  private static final Pattern TEXT = Pattern.compile(PATTERN);

  private PercentText() {}

  /**
   * Parses a share.
   *
   * @throws IllegalArgumentException with the rule as its message: no percent sign, or above 100 %
   */
  public static double parse(String text) {
    if (!TEXT.matcher(text).matches()) {
      throw new IllegalArgumentException("must be 0% to 100%, with the sign, as in 0.5%");
    }
    return new BigDecimal(text.substring(0, text.length() - 1)).movePointLeft(2).doubleValue();
  }

  /** Returns the text that {@link #parse} converts back to exactly this share. */
  public static String of(double share) {
    return BigDecimal.valueOf(share).movePointRight(2).stripTrailingZeros().toPlainString() + "%";
  }
}
