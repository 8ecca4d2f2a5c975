package io.slicewise.cli.screens;

/**
 * The terminal's properties. The JDK cannot determine whether standard error is a terminal or its
 * width, so the launcher passes both in the property {@code slicewise.columns}.
 */
public final class Terminal {
  private static final int WIDEST = 100;
  private static final int USUAL = 80;

  private Terminal() {}

  /** Returns whether lines on standard error can be redrawn. */
  public static boolean isInteractive() {
    return columns() > 0 && !"dumb".equals(System.getenv("TERM"));
  }

  /** Returns whether standard error may be coloured: a terminal, unless {@code NO_COLOR} is set. */
  public static boolean isColoured() {
    String forbidden = System.getenv("NO_COLOR");
    return isInteractive() && (forbidden == null || forbidden.isEmpty());
  }

  /** Returns the number of columns to use, at most 100. */
  public static int width() {
    int columns = columns();
    return columns > 0 ? Math.min(WIDEST, columns) : USUAL;
  }

  /** Returns the columns for tables: those of the terminal, or 100 without one. */
  public static int tableWidth() {
    int columns = columns();
    return columns > 0 ? Math.min(WIDEST, columns) : WIDEST;
  }

  private static int columns() {
    return Integer.getInteger("slicewise.columns", 0);
  }
}
