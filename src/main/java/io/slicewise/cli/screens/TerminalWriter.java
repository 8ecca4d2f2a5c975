package io.slicewise.cli.screens;

import io.slicewise.base.units.Visible;
import java.io.PrintWriter;
import java.io.Writer;

/**
 * The one way to standard output and standard error. What is printed may come from a host, a file
 * or a label, so characters that steer a terminal are printed as visible escapes; sequences of
 * Slicewise's own go through {@link #control}.
 */
public final class TerminalWriter extends PrintWriter {
  private final PrintWriter terminal;

  private TerminalWriter(PrintWriter terminal) {
    super(new Cleaning(terminal), true);
    this.terminal = terminal;
  }

  /** Returns {@code out} itself if it cleans already. */
  public static TerminalWriter of(PrintWriter out) {
    return out instanceof TerminalWriter cleaning ? cleaning : new TerminalWriter(out);
  }

  /** Prints as it is: for what Slicewise itself makes to move the cursor or erase a line. */
  void control(String sequence) {
    terminal.print(sequence);
  }

  /** Passes text on with {@code CR LF} kept and a {@code CR} alone made visible. */
  private static final class Cleaning extends Writer {
    private final PrintWriter out;
    private boolean carriageReturn;

    Cleaning(PrintWriter out) {
      super(out);
      this.out = out;
    }

    @Override
    public void write(char[] text, int from, int length) {
      StringBuilder clean = new StringBuilder(length + 16);
      for (int i = from; i < from + length; i++) {
        append(clean, text[i]);
      }
      out.append(clean);
    }

    private void append(StringBuilder clean, char c) {
      if (carriageReturn) {
        carriageReturn = false;
        clean.append(c == '\n' ? "\r" : Visible.escape('\r'));
      }
      if (c == '\r') {
        carriageReturn = true;
      } else if (c == '\n' || c == '\t' || !Visible.steers(c)) {
        clean.append(c);
      } else {
        clean.append(Visible.escape(c));
      }
    }

    @Override
    public void flush() {
      out.flush();
    }

    @Override
    public void close() {
      if (carriageReturn) {
        out.print(Visible.escape('\r'));
      }
      out.close();
    }
  }
}
