package io.slicewise.report;

import java.util.stream.Collectors;
import java.util.stream.Stream;

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

  /** Returns a table; entries of the best set are bold. */
  static String table(Table table) {
    StringBuilder text = new StringBuilder(row(table.headings().stream().map(Markdown::escape)));
    text.append(
        table.left().stream()
            .map(left -> left ? "---" : "---:")
            .collect(Collectors.joining("|", "|", "|\n")));
    table.rows().forEach(cells -> text.append(row(cells.stream().map(Markdown::cell))));
    return text.toString();
  }

  private static String cell(Cell cell) {
    return cell.best() ? "**" + escape(cell.shown()) + "**" : escape(cell.shown());
  }

  private static String row(Stream<String> cells) {
    return cells.collect(Collectors.joining(" | ", "| ", " |\n"));
  }
}
