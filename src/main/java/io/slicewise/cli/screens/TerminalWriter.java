package io.slicewise.cli.screens;

import io.slicewise.base.units.Visible;
import java.io.PrintWriter;
import java.io.Writer;

/**
 * The writer for standard output and standard error. Text may come from a host, a file or a label,
 * so control characters are printed as visible escapes; Slicewise's own sequences go through {@link
 * #control}.
 */
public final class TerminalWriter extends PrintWriter {
  private final PrintWriter terminal;

  private TerminalWriter(PrintWriter terminal) {
    super(new Cleaning(terminal), true);
    this.terminal = terminal;
  }

  /** Returns {@code out} if it already escapes control characters. */
  public static TerminalWriter of(PrintWriter out) {
    return out instanceof TerminalWriter cleaning ? cleaning : new TerminalWriter(out);
  }

  /** Prints a control sequence unchanged, for example to move the cursor or erase a line. */
  void control(String sequence) {
    terminal.print(sequence);
  }

  /** Prints a label in bold, in this colour, or plain where there is no colour. */
  void labelled(String label, int colour, String rest) {
    if (Terminal.isColoured()) {
      control("\033[1;" + colour + "m");
      print(label);
      flush();
      control("\033[0m");
      println(rest);
    } else {
      println(label + rest);
    }
  }

  /** Writes text with {@code CR LF} kept and a lone {@code CR} escaped. */
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
