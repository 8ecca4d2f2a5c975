package io.slicewise.cli.screens;

import io.slicewise.report.table.Wrap;
import java.util.ArrayList;
import java.util.List;

/** Labelled text in two columns, wrapped between words at the width of the screen. */
public final class LabelledLines {
  private static final int USUAL = 8;

  private final int width;
  private final int label;
  private final List<String> lines = new ArrayList<>();

  public LabelledLines(int width) {
    this(width, USUAL);
  }

  /** Creates lines with a label column of the given width. */
  public LabelledLines(int width, int label) {
    this.width = width;
    this.label = label;
  }

  /** Adds an entry, wrapped if it is long; an empty label continues the entry above. */
  public void add(String name, String text) {
    String start = name + " ".repeat(Math.max(1, label - name.length()));
    lines.addAll(Wrap.lines(text, start, " ".repeat(label + 2), width));
  }

  /** Adds a line below the entry above, as it is. */
  public void addVerbatim(String line) {
    lines.add(" ".repeat(label + 2) + line);
  }

  public List<String> all() {
    return List.copyOf(lines);
  }
}
