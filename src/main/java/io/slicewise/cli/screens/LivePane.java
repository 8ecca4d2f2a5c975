package io.slicewise.cli.screens;

import io.slicewise.base.units.Visible;
import java.io.PrintWriter;
import java.util.List;

/**
 * A few lines at the bottom of a terminal, redrawn in place below all other output. Needs only
 * cursor up, erase and no wrapping (ECMA-48 CUU, EL and ED; DEC autowrap mode), and no colour.
 */
public final class LivePane {
  private static final String ERASE_TO_END = "\033[J";
  private static final String ERASE_LINE = "\033[K";
  private static final String NO_WRAP = "\033[?7l";
  private static final String WRAP = "\033[?7h";

  private final TerminalWriter out;
  private final int width;
  private int drawn;

  public LivePane(PrintWriter out, int width) {
    this.out = TerminalWriter.of(out);
    this.width = width;
  }

  int width() {
    return width;
  }

  /** Replaces the lines drawn before; without lines, the pane disappears. */
  public void draw(List<String> lines) {
    StringBuilder text = new StringBuilder(home()).append(NO_WRAP);
    for (String line : lines) {
      // The last column stays free: some terminals wrap when it is filled.
      String shown = Visible.line(line);
      String fitting = shown.length() < width ? shown : shown.substring(0, width - 1);
      text.append(fitting).append(ERASE_LINE).append("\r\n");
    }
    text.append(ERASE_TO_END).append(WRAP);
    drawn = lines.size();
    out.control(text.toString());
    out.flush();
  }

  /** Removes the pane so that something can be printed in its place. */
  public void clear() {
    if (drawn > 0) {
      out.control(home() + ERASE_TO_END);
      drawn = 0;
    }
  }

  private String home() {
    return drawn == 0 ? "\r" : "\r\033[" + drawn + "A";
  }
}
