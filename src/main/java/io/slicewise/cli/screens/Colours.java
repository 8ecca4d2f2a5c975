package io.slicewise.cli.screens;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/** What is coloured in a line: verdicts, the labels of errors and warnings, headings, options. */
final class Colours {
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
      Pattern.compile("^Usage:|^\\S.*:$|^ {2}[a-z-]+(?= {2})|(?<=^ {2,8}|, )--?[a-zA-Z][a-zA-Z-]*");

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
