package io.slicewise.report.table;

import java.util.ArrayList;
import java.util.List;

/** Wraps text between words to the width of the screen. */
public final class Wrap {
  private Wrap() {}

  /** Returns a footnote, indented, with a hanging indent. */
  public static List<String> footnote(String note, int width) {
    return lines(note, "  ", "    ", width);
  }

  /**
   * Returns lines of at most that many columns; a longer word gets its own line. Line breaks in the
   * text count as blanks.
   *
   * @param first prefix of the first line
   * @param later prefix of all other lines
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
