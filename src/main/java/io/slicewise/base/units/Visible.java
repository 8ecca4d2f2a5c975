package io.slicewise.base.units;

/**
 * Makes text safe to print on a terminal: control characters of C0 and C1 (ESC, CSI, BEL, …), line
 * separators and characters that change the text's direction become visible escapes such as {@code
 * \u001b}. Inside JSON, such an escape means the character itself, so nothing is lost there.
 */
public final class Visible {
  private Visible() {}

  /** Escapes text, keeping line breaks and tabs. */
  public static String text(String text) {
    return escaped(text, true);
  }

  /** Escapes text for a single line, including line breaks and tabs. */
  public static String line(String text) {
    return escaped(text, false);
  }

  private static String escaped(String text, boolean keepsLayout) {
    StringBuilder clean = null;
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      boolean kept = (keepsLayout && (c == '\n' || c == '\t')) || !steers(c);
      if (!kept && clean == null) {
        clean = new StringBuilder(text.length() + 16).append(text, 0, i);
      }
      if (clean != null) {
        clean.append(kept ? c : escape(c));
      }
    }
    return clean == null ? text : clean.toString();
  }

  /** Returns {@code c} as four hexadecimal digits after {@code \}{@code u}. */
  public static String escape(char c) {
    String digits = Integer.toHexString(c);
    return "\\u" + "0".repeat(4 - digits.length()) + digits;
  }

  /** Whether a terminal would interpret this character instead of showing it. */
  public static boolean steers(char c) {
    return c < 0x20
        || (c >= 0x7f && c < 0xa0)
        || c == 0x061c
        || c == 0x200e
        || c == 0x200f
        || (c >= 0x2028 && c <= 0x202e)
        || (c >= 0x2066 && c <= 0x206f);
  }
}
