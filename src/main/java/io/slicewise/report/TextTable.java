package io.slicewise.report;

import java.util.ArrayList;
import java.util.List;

/** Prints a table as text: names left-aligned, numbers right-aligned. */
final class TextTable {
  private TextTable() {}

  static List<String> lines(Table table) {
    List<List<String>> rows = new ArrayList<>();
    rows.add(table.columns().stream().map(Table.Column::heading).toList());
    table.rows().forEach(row -> rows.add(row.stream().map(TextTable::text).toList()));
    List<Boolean> left = new ArrayList<>();
    for (int i = 0; i < table.columns().size(); i++) {
      left.add(!table.rows().isEmpty() && table.rows().get(0).get(i) instanceof Cell.Name);
    }
    List<String> lines = new ArrayList<>();
    lines.add(table.title());
    lines.addAll(TextColumns.lines(rows, left));
    return lines;
  }

  private static String text(Cell cell) {
    if (cell instanceof Cell.Name name) {
      return name.text();
    }
    if (cell instanceof Cell.Change change) {
      return ChangeText.numbers(change);
    }
    return cell instanceof Cell.Count count
        ? String.valueOf(count.value())
        : Numbers.measured((Cell.Measured) cell);
  }
}
