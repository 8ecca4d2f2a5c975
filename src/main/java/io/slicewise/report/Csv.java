package io.slicewise.report;

import io.slicewise.base.units.Visible;
import java.util.regex.Pattern;

/**
 * One field of a CSV file (RFC 4180) that a spreadsheet shows and does not run: a text that a
 * spreadsheet would take for a formula gets an apostrophe in front, control characters become
 * visible escapes. Numbers stay numbers; JSON has the text as it is.
 */
public final class Csv {
  private static final Pattern NUMBER = Pattern.compile("[-+]?\\d+([.,]\\d+)?([eE][-+]?\\d+)?");

  /** The signs that begin a formula, also in their full width, after blanks that are skipped. */
  private static final Pattern FORMULA =
      Pattern.compile("[\\s\\u00a0]*[=+\\-@\\uff1d\\uff0b\\uff0d\\uff20].*", Pattern.DOTALL);

  private static final Pattern PLAIN = Pattern.compile("[^\",;\\n]*");

  private Csv() {}

  /** The field of a name or another text. */
  public static String text(String text) {
    boolean formula = FORMULA.matcher(text).matches() && !NUMBER.matcher(text).matches();
    String safe = (formula ? "'" : "") + escaped(text);
    return PLAIN.matcher(safe).matches() ? safe : '"' + safe.replace("\"", "\"\"") + '"';
  }

  /** The field of a number; empty for one that could not be computed. */
  public static String number(double value) {
    return Double.isFinite(value) ? String.valueOf(value) : "";
  }

  /** Line breaks stay, for quotes hold them; a tab or CR would begin another cell or a formula. */
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
