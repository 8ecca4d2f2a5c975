package io.slicewise.cli;

import java.util.ArrayList;
import java.util.List;

/** Text in a column beside its labels, broken between words where it is wider than the screen. */
final class LabelledLines {
  private static final int LABEL = 8;

  private final int width;
  private final List<String> lines = new ArrayList<>();

  LabelledLines(int width) {
    this.width = width;
  }

  /** Adds one entry; an empty label continues the one above. Long text goes on below itself. */
  void add(String label, String text) {
    String start = label + " ".repeat(Math.max(1, LABEL - label.length()));
    String rest = text;
    while (start.length() + rest.length() > width && rest.lastIndexOf(' ', room(start)) > 0) {
      int end = rest.lastIndexOf(' ', room(start));
      if (rest.substring(0, end).isBlank()) {
        break;
      }
      lines.add((start + rest.substring(0, end)).stripTrailing());
      start = " ".repeat(LABEL + 2);
      rest = rest.substring(end + 1).stripLeading();
    }
    lines.add((start + rest).stripTrailing());
  }

  private int room(String start) {
    return width - start.length();
  }

  List<String> all() {
    return List.copyOf(lines);
  }
}
