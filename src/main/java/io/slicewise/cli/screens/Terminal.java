package io.slicewise.cli.screens;

/**
 * What there is to know of the terminal. The launcher knows whether standard error is one and how
 * wide it is, and says so in the property {@code slicewise.columns}; the JDK cannot tell.
 */
public final class Terminal {
  private static final int WIDEST = 100;
  private static final int USUAL = 80;

  private Terminal() {}

  /** Whether lines on standard error may be redrawn. */
  public static boolean isInteractive() {
    return columns() > 0 && !"dumb".equals(System.getenv("TERM"));
  }

  /** Columns to use, at most 100. */
  public static int width() {
    int columns = columns();
    return columns > 0 ? Math.min(WIDEST, columns) : USUAL;
  }

  /** Columns for tables: those of the terminal, and all 100 where none can wrap them. */
  public static int tableWidth() {
    int columns = columns();
    return columns > 0 ? Math.min(WIDEST, columns) : WIDEST;
  }

  private static int columns() {
    return Integer.getInteger("slicewise.columns", 0);
  }
}
