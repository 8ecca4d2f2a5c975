package io.slicewise.report;

import io.slicewise.run.Origin;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A table as CSV (RFC 4180): full precision, every estimate in five columns (mean, {@code _sd},
 * {@code _low}, {@code _high}, {@code _n}), every change in three (percent, {@code _low}, {@code
 * _high}), shares 0..1, empty fields for values that could not be computed.
 */
final class CsvTable {
  private CsvTable() {}

  static String text(Table table) {
    return text(table, List.of(), List.of());
  }

  /** Adds the origin of the numbers as last column: measured, lab, simulated or imported. */
  static String text(Table table, Origin.Kind origin) {
    return text(table, List.of("origin"), List.of(origin.word()));
  }

  private static String text(Table table, List<String> name, List<String> value) {
    Stream<String> header = table.columns().stream().flatMap(column -> column.fields().stream());
    StringBuilder text = new StringBuilder(line(header, name));
    for (List<Cell> row : table.rows()) {
      text.append(line(row.stream().flatMap(cell -> cell.fields().stream()), value));
    }
    return text.toString();
  }

  private static String line(Stream<String> fields, List<String> more) {
    return Stream.concat(fields, more.stream()).collect(Collectors.joining(",", "", "\r\n"));
  }
}
