package io.slicewise.cli.screens;

import java.util.Map;

/**
 * The terminal's properties. The JDK cannot determine which of its streams are a terminal or how
 * wide that is, so the launcher passes the width in {@code slicewise.columns} and the streams' file
 * numbers in {@code slicewise.terminals}, such as {@code 12}.
 */
public final class Terminal {
  private static final int WIDEST = 100;
  private static final int USUAL = 80;
  private static final int NARROWEST = 55;
  private static final char OUT = '1';
  private static final char ERR = '2';

  private Terminal() {}

  /** Returns whether lines on standard error can be redrawn. */
  public static boolean isInteractive() {
    return streams().indexOf(ERR) >= 0 && !"dumb".equals(System.getenv("TERM"));
  }

  /** Returns whether standard output is a terminal that can page a text. */
  public static boolean isOutInteractive() {
    return streams().indexOf(OUT) >= 0 && !"dumb".equals(System.getenv("TERM"));
  }

  /** Returns whether standard output may be coloured. */
  public static boolean isOutColoured() {
    return mayColour(streams(), OUT, System.getenv());
  }

  /** Returns whether standard error may be coloured. */
  static boolean isErrColoured() {
    return mayColour(streams(), ERR, System.getenv());
  }

  /**
   * Returns whether a stream may be coloured: a terminal that is not dumb, unless {@code NO_COLOR}
   * is set.
   */
  static boolean mayColour(String streams, char stream, Map<String, String> environment) {
    return streams.indexOf(stream) >= 0
        && !environment.getOrDefault("TERM", "dumb").equals("dumb")
        && environment.getOrDefault("NO_COLOR", "").isEmpty();
  }

  /** Returns the number of columns to use, at most 100. */
  public static int width() {
    return width(USUAL);
  }

  /** Returns the columns for tables: those of the terminal, or 100 without one. */
  public static int tableWidth() {
    return width(WIDEST);
  }

  /** Returns the width of the lines of standard output; without limit in files and pipes. */
  static int outWidth() {
    return streamWidth(OUT);
  }

  /** Returns the width of the lines of standard error; without limit in files and pipes. */
  static int errWidth() {
    return streamWidth(ERR);
  }

  private static int streamWidth(char stream) {
    boolean file = !streams().isEmpty() && streams().indexOf(stream) < 0;
    return file ? Integer.MAX_VALUE : width(Integer.MAX_VALUE);
  }

  /** Returns the terminal's width within limits; without one, {@code COLUMNS} or the given one. */
  private static int width(int without) {
    int columns = Integer.getInteger("slicewise.columns", 0);
    if (columns <= 0) {
      String asked = System.getenv("COLUMNS");
      columns = asked != null && asked.matches("[1-9][0-9]{0,4}") ? Integer.parseInt(asked) : 0;
    }
    return columns <= 0 ? without : Math.max(NARROWEST, Math.min(WIDEST, columns));
  }

  private static String streams() {
    return System.getProperty("slicewise.terminals", "");
  }
}
