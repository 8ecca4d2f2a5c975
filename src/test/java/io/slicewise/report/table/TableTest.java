package io.slicewise.report.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.slicewise.report.table.Csv.CsvTable;
import io.slicewise.report.table.Table.Column;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Protects: columns have the type that they declare, whatever their rows contain. */
class TableTest {
  private static final List<Column> COLUMNS =
      List.of(Column.name("profile"), Column.measured("p95 ms", "p95"), Column.count("more"));

  @Test
  void tableWithoutRowsHasAllFieldsInItsHeader() {
    assertThat(CsvTable.text(new Table("empty", "Empty", COLUMNS, List.of())))
        .isEqualTo("profile,p95,p95_sd,p95_low,p95_high,p95_n,more\r\n");
  }

  @Test
  void emptyCellInTheFirstRowDoesNotChangeItsColumn() {
    List<Cell> first =
        List.of(new Cell.Text("a"), new Cell.Measured(CellColumns.NOT_MEASURED, 1, 0), empty());
    List<Cell> second =
        List.of(new Cell.Text("b"), new Cell.Measured(CellColumns.NOT_MEASURED, 1, 0), count());
    Table table = new Table("table", "Table", COLUMNS, List.of(first, second));
    assertThat(CsvTable.text(table).lines()).containsExactly(header(), "a,,,,,0,", "b,,,,,0,12");
    assertThat(TextColumns.rows(table, 100))
        .containsExactly("profile  p95 ms  more", "a             –     –", "b             –    12");
  }

  @Test
  void columnRejectsCellsOfAnotherType() {
    List<List<Cell>> rows = List.of(List.of(new Cell.Text("a"), count(), count()));
    assertThatThrownBy(() -> new Table("table", "Table", COLUMNS, rows))
        .hasMessageContaining("column p95 cannot hold");
  }

  private static String header() {
    return "profile,p95,p95_sd,p95_low,p95_high,p95_n,more";
  }

  private static Cell empty() {
    return new Cell.Empty();
  }

  private static Cell count() {
    return new Cell.Count(12);
  }
}
