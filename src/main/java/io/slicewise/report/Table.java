package io.slicewise.report;

import java.util.List;

/**
 * A table before it has a form: the same cells become text, CSV and HTML.
 *
 * @param name of its file under {@code tables/}, without ending
 * @param rows each with one cell a column
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

  /** The same under another title. */
  Table entitled(String other) {
    return new Table(name, other, columns, rows);
  }

  /**
   * One column.
   *
   * @param heading for people
   * @param key for files; the columns of an estimate add {@code _low}, {@code _high}, …
   */
  record Column(String heading, String key) {}
}
