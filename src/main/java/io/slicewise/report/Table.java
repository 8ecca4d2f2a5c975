package io.slicewise.report;

import java.util.List;

/**
 * A table independent of its format: text, CSV or HTML.
 *
 * @param name of its file in {@code tables/}, without extension
 * @param rows each with one cell per column
 */
record Table(String name, String title, List<Column> columns, List<List<Cell>> rows) {
  Table {
    columns = List.copyOf(columns);
    rows = rows.stream().map(List::copyOf).toList();
    for (List<Cell> row : rows) {
      if (row.size() != columns.size()) {
        throw new IllegalArgumentException(
            name + ": a row has " + row.size() + " cells for " + columns.size() + " columns");
      }
    }
  }

  /** Returns the table with another title. */
  Table entitled(String other) {
    return new Table(name, other, columns, rows);
  }

  /**
   * A column.
   *
   * @param heading on screens
   * @param key in files; the columns of an estimate add {@code _low}, {@code _high}, …
   */
  record Column(String heading, String key) {}
}
