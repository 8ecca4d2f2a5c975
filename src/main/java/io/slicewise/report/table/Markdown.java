package io.slicewise.report.table;

import io.slicewise.base.units.Visible;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Writes text and tables as GitHub-flavoured Markdown with special characters escaped. */
public final class Markdown {
  private static final String SPECIAL = "\\`*_{}[]<>()#+!|~$@";

  private Markdown() {}

  /** Escapes every special character. */
  public static String escape(String text) {
    StringBuilder escaped = new StringBuilder();
    for (char c : Visible.line(text.replaceAll("[\\r\\n]+", " ")).toCharArray()) {
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
  public static String table(Table table) {
    StringBuilder text = new StringBuilder(row(table.headings().stream().map(Markdown::escape)));
    text.append(
        table.left().stream()
            .map(left -> left ? "---" : "---:")
            .collect(Collectors.joining("|", "|", "|\n")));
    table.rows().forEach(cells -> text.append(row(cells.stream().map(Markdown::cell))));
    return text.toString();
  }

  /** Returns a table with its title above it and its notes below. */
  public static String section(Table table) {
    String title = escape(table.title());
    return "**%s**\n\n%s\n%s\n".formatted(title, table(table), list(table.notes()));
  }

  /** Returns a list with an item on each line. */
  public static String list(List<String> items) {
    return items.stream().map(item -> "- " + escape(item) + "\n").collect(Collectors.joining());
  }

  private static String cell(Cell cell) {
    return cell.best() ? "**" + escape(cell.shown()) + "**" : escape(cell.shown());
  }

  private static String row(Stream<String> cells) {
    return cells.collect(Collectors.joining(" | ", "| ", " |\n"));
  }
}
