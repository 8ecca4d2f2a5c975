package io.slicewise.report;

import java.util.ArrayList;
import java.util.List;

/** A table as lines of text: names to the left, numbers to the right. */
final class TextTable {
  private static final String GAP = "  ";

  private TextTable() {}

  static List<String> lines(Table table) {
    List<List<String>> rows = new ArrayList<>();
    rows.add(table.columns().stream().map(Table.Column::heading).toList());
    table.rows().forEach(row -> rows.add(row.stream().map(TextTable::text).toList()));
    int[] widths = widths(rows);
    List<String> lines = new ArrayList<>();
    lines.add(table.title());
    for (List<String> row : rows) {
      lines.add(line(table, row, widths));
    }
    return lines;
  }

  private static int[] widths(List<List<String>> rows) {
    int[] widths = new int[rows.get(0).size()];
    for (List<String> row : rows) {
      for (int i = 0; i < widths.length; i++) {
        widths[i] = Math.max(widths[i], row.get(i).length());
      }
    }
    return widths;
  }

  private static String line(Table table, List<String> row, int[] widths) {
    StringBuilder line = new StringBuilder();
    for (int i = 0; i < widths.length; i++) {
      String padding = " ".repeat(widths[i] - row.get(i).length());
      boolean name = !table.rows().isEmpty() && table.rows().get(0).get(i) instanceof Cell.Name;
      line.append(i == 0 ? "" : GAP).append(name ? row.get(i) + padding : padding + row.get(i));
    }
    return line.toString().stripTrailing();
  }

  private static String text(Cell cell) {
    if (cell instanceof Cell.Name name) {
      return name.text();
    }
    return cell instanceof Cell.Count count
        ? String.valueOf(count.value())
        : Numbers.measured((Cell.Measured) cell);
  }
}
