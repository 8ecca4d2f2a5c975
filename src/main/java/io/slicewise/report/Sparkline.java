package io.slicewise.report;

import java.util.Arrays;

/** Numbers as one line of characters, each as high as its number; the newest stands last. */
final class Sparkline {
  private static final String BLOCKS = "▁▂▃▄▅▆▇█";
  private static final String DIGITS = "0123456789";

  private Sparkline() {}

  /**
   * The last of the values, as many as that.
   *
   * @param blocks block characters, or digits where those cannot be shown
   */
  static String of(double[] values, int most, boolean blocks) {
    String levels = blocks ? BLOCKS : DIGITS;
    double[] shown = Arrays.copyOfRange(values, Math.max(0, values.length - most), values.length);
    double low = Arrays.stream(shown).min().orElse(0);
    double high = Arrays.stream(shown).max().orElse(0);
    StringBuilder line = new StringBuilder();
    for (double value : shown) {
      // All alike: a line in the middle, since neither top nor bottom would be true.
      double share = high > low ? (value - low) / (high - low) : 0.5;
      line.append(levels.charAt((int) Math.min(levels.length() - 1, share * levels.length())));
    }
    return line.toString();
  }
}
