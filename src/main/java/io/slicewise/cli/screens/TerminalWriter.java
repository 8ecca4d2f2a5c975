package io.slicewise.cli.screens;

import io.slicewise.base.units.Visible;
import io.slicewise.report.table.Wrap;
import java.io.PrintWriter;
import java.io.Writer;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The writer for standard output and standard error. Text may come from a host, a file or a label,
 * so control characters are printed as visible escapes; Slicewise's own sequences go through {@link
 * #control}. On a terminal, a line that is printed with {@code println} is wrapped at its width and
 * coloured; what {@code print} prints, such as CSV, stays as it is.
 */
public final class TerminalWriter extends PrintWriter {
  /** The indentation of a line, or the label before its text. */
  private static final Pattern LABEL = Pattern.compile("^(?: *\\S+(?: \\S+)? {2,}| *)");

  private static final int WIDEST_LABEL = 24;

  private final PrintWriter terminal;
  private final int width;
  private final boolean coloured;
  private boolean afterBlank;

  private TerminalWriter(PrintWriter terminal, int width, boolean coloured) {
    super(new Cleaning(terminal), true);
    this.terminal = terminal;
    this.width = width;
    this.coloured = coloured;
  }

  /** Returns {@code out} if it already escapes control characters. */
  public static TerminalWriter of(PrintWriter out) {
    return of(out, Integer.MAX_VALUE, false);
  }

  /** Returns the writer of standard output. */
  public static TerminalWriter standardOut(PrintWriter out) {
    return of(out, Terminal.outWidth(), Terminal.isOutColoured());
  }

  public static TerminalWriter standardError(PrintWriter err) {
    return of(err, Terminal.errWidth(), Terminal.isErrColoured());
  }

  static TerminalWriter of(PrintWriter out, int width, boolean coloured) {
    return out instanceof TerminalWriter cleaning
        ? cleaning
        : new TerminalWriter(out, width, coloured);
  }

  /** Prints a control sequence unchanged, for example to move the cursor or erase a line. */
  public void control(String sequence) {
    terminal.print(sequence);
  }

  @Override
  public void println(String text) {
    if (text == null || text.indexOf('\n') >= 0) {
      super.println(text);
      return;
    }
    boolean heading = afterBlank && !text.startsWith(" ");
    for (String line : wrapped(text)) {
      painted(line, Colours.of(line, heading));
      println();
    }
    afterBlank = text.isEmpty();
  }

  /** Prints text, in colours if it is a command's help. */
  @Override
  public void print(Object text) {
    String whole = String.valueOf(text);
    if (coloured && whole.startsWith(Colours.USAGE)) {
      whole.lines().forEach(this::help);
    } else {
      super.print(whole);
    }
  }

  private void help(String line) {
    painted(line, Colours.ofHelp(line));
    println();
  }

  private List<String> wrapped(String text) {
    if (text.length() <= width) {
      return List.of(text);
    }
    Matcher label = LABEL.matcher(text);
    int indent = label.find() && label.end() <= WIDEST_LABEL ? label.end() : 0;
    return Wrap.lines(
        text.substring(indent), text.substring(0, indent), " ".repeat(indent + 2), width);
  }

  private void painted(String line, List<Colours.Span> spans) {
    int done = 0;
    for (Colours.Span span : coloured ? spans : List.<Colours.Span>of()) {
      print(line.substring(done, span.start()));
      control(span.sequence());
      print(line.substring(span.start(), span.end()));
      control(Colours.END);
      done = span.end();
    }
    print(line.substring(done));
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

  /** What is coloured in a line: verdicts, the labels of errors and warnings, headings, options. */
  private static final class Colours {
    /** The beginning of a command's help. */
    static final String USAGE = "Usage: ";

    static final String END = "\033[0m";

    private static final String RED = "\033[1;31m";
    private static final String GREEN = "\033[1;32m";
    private static final String YELLOW = "\033[1;33m";
    private static final String BOLD = "\033[1m";

    /** Bad, good and doubtful, and the label of a screen. */
    private static final Pattern MARKS =
        Pattern.compile(
            "(\\b(?:WORSE|GUARD BROKEN|CONTROL FAILED|NOT RESTORED|INVALID|FAILED|DAMAGED|HIGH)\\b"
                + "|^slicewise:|^blocking\\b)"
                + "|(\\bBETTER\\b|^FINE\\b)"
                + "|(\\bUNDECIDED\\b|\\bNO VALID DATA\\b|^warning\\b|\\bin doubt:)"
                + "|(^[A-Z]{4,}(?= |$))");

    private static final List<String> SEQUENCES = List.of(RED, GREEN, YELLOW, BOLD);

    private static final Pattern HELP =
        Pattern.compile(
            "^Usage:|^\\S.*:$|^ {2}[a-z-]+(?= {2})|(?<=^ {2,8}|, )--?[a-zA-Z][a-zA-Z-]*");

    private Colours() {}

    /** A coloured part of a line. */
    record Span(int start, int end, String sequence) {}

    /**
     * Returns the coloured parts of a line, in order.
     *
     * @param heading whether the whole line is one
     */
    static List<Span> of(String line, boolean heading) {
      List<Span> spans = new ArrayList<>();
      int done = 0;
      for (MatchResult found : MARKS.matcher(line).results().toList()) {
        addHeading(spans, heading, done, found.start());
        int group = 1;
        while (found.group(group) == null) {
          group++;
        }
        spans.add(new Span(found.start(), found.end(), SEQUENCES.get(group - 1)));
        done = found.end();
      }
      addHeading(spans, heading, done, line.length());
      return spans;
    }

    private static void addHeading(List<Span> spans, boolean heading, int start, int end) {
      if (heading && start < end) {
        spans.add(new Span(start, end, BOLD));
      }
    }

    /** Returns the coloured parts of a line of a command's help. */
    static List<Span> ofHelp(String line) {
      return HELP.matcher(line)
          .results()
          .map(found -> new Span(found.start(), found.end(), BOLD))
          .toList();
    }
  }
}
