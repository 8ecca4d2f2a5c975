package io.slicewise.report;

import io.slicewise.evidence.published.PublishedTables;
import io.slicewise.report.Table.Column;
import io.slicewise.run.validity.Violation;
import java.util.ArrayList;
import java.util.List;

/** The derived cells of published tables, computed again from their inputs. */
final class RebuiltTables {
  private static final String FORMULA = "formula";

  private RebuiltTables() {}

  static Table of(List<PublishedTables.Table> checked) {
    List<List<Cell>> rows = new ArrayList<>();
    List<String> notes = new ArrayList<>();
    for (PublishedTables.Table table : checked) {
      List<Violation> deviating =
          table.violations().stream().filter(one -> one.rule().equals(FORMULA)).toList();
      if (table.asked().containsKey(FORMULA)) {
        rows.add(
            List.of(
                new Cell.Text(String.valueOf(table.file().getFileName())),
                new Cell.Count(table.asked().get(FORMULA)),
                new Cell.Count(deviating.size())));
      }
      deviating.forEach(
          one -> notes.add("deviates: " + one.message() + "; likely " + one.likelyCause()));
    }
    List<Column> columns =
        List.of(Column.name("file"), Column.count("recomputed"), Column.count("deviating"));
    return new Table(
        "derived", "Derived cells, recomputed from their inputs", columns, rows, notes);
  }
}
