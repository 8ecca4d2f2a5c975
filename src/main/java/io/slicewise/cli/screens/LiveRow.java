package io.slicewise.cli.screens;

import java.util.ArrayList;
import java.util.List;

/**
 * A labelled line of the live screen, cut to the width of the terminal.
 *
 * @param lead its first part, which is shortened before any other is left out
 * @param rest further parts, the most important first
 */
record LiveRow(String label, String lead, List<String> rest) {
  private static final String BETWEEN = " | ";
  private static final String CUT = "...";
  private static final int LABEL = 8;
  private static final int SHORTEST = 10;

  LiveRow {
    rest = List.copyOf(rest);
  }

  static LiveRow of(String label, String lead, String... rest) {
    return new LiveRow(label, lead, List.of(rest));
  }

  /** Returns the line in fewer columns than {@code width}; the last one stays free. */
  String fit(int width) {
    int room = width - 1 - LABEL;
    List<String> parts = new ArrayList<>(rest);
    while (!parts.isEmpty() && Math.min(SHORTEST, lead.length()) + length(parts) > room) {
      parts.remove(parts.size() - 1);
    }
    parts.add(0, shortened(lead, room - length(parts)));
    return label + " ".repeat(LABEL - label.length()) + String.join(BETWEEN, parts);
  }

  private static int length(List<String> parts) {
    return parts.stream().mapToInt(part -> BETWEEN.length() + part.length()).sum();
  }

  /** Returns the text in at most that many columns. */
  static String shortened(String text, int most) {
    return text.length() <= most ? text : text.substring(0, most - CUT.length()) + CUT;
  }
}
