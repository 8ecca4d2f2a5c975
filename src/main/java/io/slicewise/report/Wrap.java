package io.slicewise.report;

import java.util.ArrayList;
import java.util.List;

/** Breaks a footnote into lines of at most 100 columns, the later ones indented. */
final class Wrap {
  private static final int WIDTH = 100;
  private static final String FIRST = "  ";
  private static final String LATER = "    ";

  private Wrap() {}

  static List<String> lines(String note) {
    List<String> lines = new ArrayList<>();
    StringBuilder line = new StringBuilder(FIRST);
    boolean empty = true;
    for (String word : note.split(" ")) {
      if (!empty && line.length() + 1 + word.length() > WIDTH) {
        lines.add(line.toString());
        line = new StringBuilder(LATER);
        empty = true;
      }
      line.append(empty ? "" : " ").append(word);
      empty = false;
    }
    lines.add(line.toString());
    return lines;
  }
}
