package io.slicewise.report.table;

import io.slicewise.base.units.Visible;
import io.slicewise.run.Origin;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Formats CSV fields (RFC 4180) that a spreadsheet displays but does not execute: text that looks
 * like a formula is prefixed with an apostrophe, and control characters are escaped. Numbers are
 * unchanged; JSON has the original text.
 */
public final class Csv {
  private static final Pattern NUMBER = Pattern.compile("[-+]?\\d+([.,]\\d+)?([eE][-+]?\\d+)?");

  /** The characters that begin a formula, including full-width forms, after leading blanks. */
  private static final Pattern FORMULA =
      Pattern.compile("[\\s\\u00a0]*[=+\\-@\\uff1d\\uff0b\\uff0d\\uff20].*", Pattern.DOTALL);

  private static final Pattern PLAIN = Pattern.compile("[^\",;\\n]*");

  private Csv() {}

  /** Returns the field for a text. */
  public static String text(String text) {
    boolean formula = FORMULA.matcher(text).matches() && !NUMBER.matcher(text).matches();
    String safe = (formula ? "'" : "") + escaped(text);
    return PLAIN.matcher(safe).matches() ? safe : '"' + safe.replace("\"", "\"\"") + '"';
  }

  /** Returns the field for a number; empty if it could not be computed. */
  public static String number(double value) {
    return Double.isFinite(value) ? String.valueOf(value) : "";
  }

  /** Keeps line breaks, which quotes protect; a tab or CR could begin another cell or a formula. */
  private static String escaped(String text) {
    StringBuilder clean = new StringBuilder(text.length());
    text.chars()
        .forEach(
            c -> {
              if (c != '\n' && Visible.steers((char) c)) {
                clean.append(Visible.escape((char) c));
              } else {
                clean.append((char) c);
              }
            });
    return clean.toString();
  }

  /**
   * A table as CSV (RFC 4180): full precision, every estimate in five columns (mean, {@code _sd},
   * {@code _low}, {@code _high}, {@code _n}), every change in three (percent, {@code _low}, {@code
   * _high}), shares 0..1, empty fields for values that could not be computed.
   */
  public static final class CsvTable {
    private CsvTable() {}

    public static String text(Table table) {
      return text(table, List.of(), List.of());
    }

    /** Adds the origin of the numbers as last column: measured, lab, simulated or imported. */
    public static String text(Table table, Origin.Kind origin) {
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
}
