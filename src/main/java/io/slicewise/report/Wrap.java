package io.slicewise.report;

import java.util.ArrayList;
import java.util.List;

/** Breaks text between words, so that no line is wider than a screen. */
public final class Wrap {
  /** The widest line that anything prints, in columns. */
  public static final int WIDTH = 100;

  private Wrap() {}

  /** A footnote: indented, and its later lines more so. */
  static List<String> footnote(String note) {
    return lines(note, "  ", "    ", WIDTH);
  }

  /**
   * The text as lines of at most that many columns; a word that is longer stands alone. Line breaks
   * in the text are blanks.
   *
   * @param first what the first line begins with
   * @param later what every other line begins with
   */
  public static List<String> lines(String text, String first, String later, int width) {
    List<String> lines = new ArrayList<>();
    StringBuilder line = new StringBuilder(first);
    boolean empty = true;
    for (String word : text.split("[ \\r\\n]", -1)) {
      if (!empty && line.length() + 1 + word.length() > width) {
        lines.add(line.toString().stripTrailing());
        line = new StringBuilder(later);
        empty = true;
      }
      if (empty && word.isEmpty() && !lines.isEmpty()) {
        continue;
      }
      line.append(empty ? "" : " ").append(word);
      empty = false;
    }
    lines.add(line.toString().stripTrailing());
    return lines;
  }
}
