package io.slicewise.report.table;

import java.util.ArrayList;
import java.util.List;

/** Prints a table as text for a width: names left-aligned, numbers right-aligned. */
public final class TextTable {
  private TextTable() {}

  /** Returns the title, the rows and the notes. */
  public static List<String> lines(Table table, int width) {
    List<String> lines = new ArrayList<>(Wrap.lines(table.title(), "", "  ", width));
    lines.addAll(rows(table, width));
    table.notes().forEach(note -> lines.addAll(Wrap.footnote(note, width)));
    return lines;
  }

  /** Returns the headings and the rows. */
  public static List<String> rows(Table table, int width) {
    List<List<String>> rows = new ArrayList<>(List.of(table.headings()));
    table.rows().forEach(row -> rows.add(row.stream().map(Cell::shown).toList()));
    return TextColumns.lines(rows, table.left(), width);
  }
}
