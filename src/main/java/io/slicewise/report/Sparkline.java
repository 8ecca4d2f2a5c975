package io.slicewise.report;

import java.util.Arrays;

/** Draws numbers as a line of characters of matching height; the newest is last. */
final class Sparkline {
  private static final String BLOCKS = "▁▂▃▄▅▆▇█";
  private static final String DIGITS = "0123456789";

  private Sparkline() {}

  /**
   * Returns the last values.
   *
   * @param blocks whether to use block characters instead of digits
   */
  static String of(double[] values, int most, boolean blocks) {
    String levels = blocks ? BLOCKS : DIGITS;
    double[] shown = Arrays.copyOfRange(values, Math.max(0, values.length - most), values.length);
    double low = Arrays.stream(shown).min().orElse(0);
    double high = Arrays.stream(shown).max().orElse(0);
    StringBuilder line = new StringBuilder();
    for (double value : shown) {
      // Equal values are drawn in the middle.
      double share = high > low ? (value - low) / (high - low) : 0.5;
      line.append(levels.charAt((int) Math.min(levels.length() - 1, share * levels.length())));
    }
    return line.toString();
  }
}
