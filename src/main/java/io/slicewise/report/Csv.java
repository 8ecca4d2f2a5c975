package io.slicewise.report;

import io.slicewise.base.units.Visible;
import java.util.regex.Pattern;

/**
 * Formats CSV fields (RFC 4180) that a spreadsheet displays but does not execute: text that looks
 * like a formula is prefixed with an apostrophe, and control characters are escaped. Numbers are
 * unchanged; JSON has the original text.
 */
public final class Csv {
  private static final Pattern NUMBER = Pattern.compile("[-+]?\\d+([.,]\\d+)?([eE][-+]?\\d+)?");

  /** The characters that begin a formula, including full-width forms, after leading blanks. */
  private static final Pattern FORMULA =
      Pattern.compile("[\\s\\u00a0]*[=+\\-@\\uff1d\\uff0b\\uff0d\\uff20].*", Pattern.DOTALL);

  private static final Pattern PLAIN = Pattern.compile("[^\",;\\n]*");

  private Csv() {}

  /** Returns the field for a text. */
  public static String text(String text) {
    boolean formula = FORMULA.matcher(text).matches() && !NUMBER.matcher(text).matches();
    String safe = (formula ? "'" : "") + escaped(text);
    return PLAIN.matcher(safe).matches() ? safe : '"' + safe.replace("\"", "\"\"") + '"';
  }

  /** Returns the field for a number; empty if it could not be computed. */
  public static String number(double value) {
    return Double.isFinite(value) ? String.valueOf(value) : "";
  }

  /** Keeps line breaks, which quotes protect; a tab or CR could begin another cell or a formula. */
  private static String escaped(String text) {
    StringBuilder clean = new StringBuilder(text.length());
    text.chars()
        .forEach(
            c -> {
              if (c != '\n' && Visible.steers((char) c)) {
                clean.append(Visible.escape((char) c));
              } else {
                clean.append((char) c);
              }
            });
    return clean.toString();
  }
}
