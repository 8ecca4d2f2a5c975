package io.slicewise.report;

import java.util.List;
import java.util.stream.Collectors;

/** Writes text and tables as GitHub-flavoured Markdown with special characters escaped. */
final class Markdown {
  private static final String SPECIAL = "\\`*_{}[]<>()#+!|~$@";

  private Markdown() {}

  /** Escapes every special character. */
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
   * Returns a table.
   *
   * @param left by column, whether its entries are left-aligned
   */
  static String table(List<String> headings, List<Boolean> left, List<List<String>> rows) {
    StringBuilder text = new StringBuilder(row(headings));
    text.append(
        left.stream().map(l -> l ? "---" : "---:").collect(Collectors.joining("|", "|", "|\n")));
    rows.forEach(cells -> text.append(row(cells)));
    return text.toString();
  }

  /** Returns a table with marked entries in bold. */
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
