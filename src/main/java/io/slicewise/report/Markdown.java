package io.slicewise.report;

import java.util.List;
import java.util.stream.Collectors;

/** Text and tables as GitHub-flavoured Markdown; whatever a name holds, it stays text. */
final class Markdown {
  private static final String SPECIAL = "\\`*_{}[]<>()#+!|~$@";

  private Markdown() {}

  /** Every character that could mean something is told not to. */
  static String escape(String text) {
    StringBuilder escaped = new StringBuilder();
    for (char c : text.replaceAll("[\\r\\n]+", " ").toCharArray()) {
      switch (c) {
        case '<' -> escaped.append("&lt;");
        case '>' -> escaped.append("&gt;");
        case '&' -> escaped.append("&amp;");
        default -> {
          if (SPECIAL.indexOf(c) >= 0) {
            escaped.append('\\');
          }
          escaped.append(c);
        }
      }
    }
    return escaped.toString();
  }

  /**
   * A table.
   *
   * @param left by column, whether its entries stand to the left
   */
  static String table(List<String> headings, List<Boolean> left, List<List<String>> rows) {
    StringBuilder text = new StringBuilder(row(headings));
    text.append(
        left.stream().map(l -> l ? "---" : "---:").collect(Collectors.joining("|", "|", "|\n")));
    rows.forEach(cells -> text.append(row(cells)));
    return text.toString();
  }

  /** A table in which marked entries are bold. */
  static String grid(Grid grid) {
    StringBuilder text = new StringBuilder(table(grid.headings(), grid.left(), List.of()));
    for (List<Grid.Entry> row : grid.rows()) {
      text.append(
          row.stream()
              .map(
                  entry ->
                      entry.marked() ? "**" + escape(entry.text()) + "**" : escape(entry.text()))
              .collect(Collectors.joining(" | ", "| ", " |\n")));
    }
    return text.toString();
  }

  private static String row(List<String> cells) {
    return cells.stream().map(Markdown::escape).collect(Collectors.joining(" | ", "| ", " |\n"));
  }
}
