package io.slicewise.cli.screens;

import io.slicewise.report.Wrap;
import java.util.ArrayList;
import java.util.List;

/** Text in a column beside its labels, broken between words where it is wider than the screen. */
public final class LabelledLines {
  private static final int USUAL = 8;

  private final int width;
  private final int label;
  private final List<String> lines = new ArrayList<>();

  public LabelledLines(int width) {
    this(width, USUAL);
  }

  /** With a column for labels of that width. */
  public LabelledLines(int width, int label) {
    this.width = width;
    this.label = label;
  }

  /** Adds one entry; an empty label continues the one above. Long text goes on below itself. */
  public void add(String name, String text) {
    String start = name + " ".repeat(Math.max(1, label - name.length()));
    lines.addAll(Wrap.lines(text, start, " ".repeat(label + 2), width));
  }

  public List<String> all() {
    return List.copyOf(lines);
  }
}
