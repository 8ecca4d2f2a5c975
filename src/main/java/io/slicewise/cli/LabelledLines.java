package io.slicewise.cli;

import io.slicewise.report.Wrap;
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
    lines.addAll(Wrap.lines(text, start, " ".repeat(LABEL + 2), width));
  }

  List<String> all() {
    return List.copyOf(lines);
  }
}
