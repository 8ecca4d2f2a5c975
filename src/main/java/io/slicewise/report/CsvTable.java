package io.slicewise.report;

import io.slicewise.run.Origin;
import io.slicewise.stats.Estimate;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * A table as CSV (RFC 4180): full precision, every estimate in five columns (mean, {@code _sd},
 * {@code _low}, {@code _high}, {@code _n}), every change in three (percent, {@code _low}, {@code
 * _high}), shares 0..1, empty fields for values that could not be computed. The last column is the
 * origin of the numbers: measured, lab, simulated or imported.
 */
final class CsvTable {
  private CsvTable() {}

  static String text(Table table, Origin.Kind origin) {
    StringBuilder text = new StringBuilder(header(table)).append(",origin\r\n");
    for (List<Cell> row : table.rows()) {
      text.append(row.stream().map(CsvTable::fields).collect(Collectors.joining(",")))
          .append(',')
          .append(origin.word())
          .append("\r\n");
    }
    return text.toString();
  }

  private static String header(Table table) {
    List<String> names = new ArrayList<>();
    for (int i = 0; i < table.columns().size(); i++) {
      String key = table.columns().get(i).key();
      names.add(key);
      if (!table.rows().isEmpty() && table.rows().get(0).get(i) instanceof Cell.Measured) {
        names.addAll(List.of(key + "_sd", key + "_low", key + "_high", key + "_n"));
      } else if (!table.rows().isEmpty() && table.rows().get(0).get(i) instanceof Cell.Change) {
        names.addAll(List.of(key + "_low", key + "_high"));
      }
    }
    return String.join(",", names);
  }

  private static String fields(Cell cell) {
    if (cell instanceof Cell.Name name) {
      return Csv.text(name.text());
    }
    if (cell instanceof Cell.Count count) {
      return String.valueOf(count.value());
    }
    if (cell instanceof Cell.Change change) {
      return String.join(
          ",", Csv.number(change.percent()), Csv.number(change.low()), Csv.number(change.high()));
    }
    Estimate estimate = ((Cell.Measured) cell).estimate();
    return String.join(
        ",",
        Csv.number(estimate.mean()),
        Csv.number(estimate.deviation()),
        Csv.number(estimate.low()),
        Csv.number(estimate.high()),
        String.valueOf(estimate.n()));
  }
}
