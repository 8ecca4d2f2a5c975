package io.slicewise.evidence.published;

import io.slicewise.base.units.ExitCode;
import io.slicewise.base.units.FileFault;
import io.slicewise.base.units.InputFile;
import io.slicewise.base.units.SlicewiseException;
import java.io.BufferedReader;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Predicate;

/** A table in CSV: a header, and lines that remember where they stand. Empty lines are left out. */
record CsvFile(Path file, List<String> header, List<Line> lines) {
  private static final String BYTE_ORDER_MARK = "\uFEFF";

  CsvFile {
    header = List.copyOf(header);
    lines = List.copyOf(lines);
  }

  /**
   * A line of a table.
   *
   * @param place file and line, for messages
   */
  record Line(String place, Map<String, String> values) {
    /** The text of a column; empty when there is none. */
    String text(String column) {
      return values.getOrDefault(column, "");
    }

    /** The number of a column; {@code NaN} when there is none, or when it is a fault. */
    double number(String column, List<String> faults) {
      if (text(column).isBlank()) {
        return Double.NaN;
      }
      try {
        return new BigDecimal(text(column).trim()).doubleValue();
      } catch (NumberFormatException e) {
        faults.add(place + ": " + column + " '" + text(column) + "' is not a number");
        return Double.NaN;
      }
    }

    /**
     * What the number of a column stands for; empty when there is none.
     *
     * @throws NumberFormatException if it is a fault
     */
    Optional<Span> span(String column) {
      return text(column).isBlank() ? Optional.empty() : Optional.of(Span.of(text(column)));
    }
  }

  /**
   * Reads a table, if its header is of a kind that is wanted; of others the header alone: whatever
   * lies in a directory may be large.
   *
   * @throws SlicewiseException if the file cannot be read
   */
  static CsvFile read(Path file, Predicate<List<String>> wanted) {
    try {
      InputFile.requireRegular(file);
      return readRows(file, wanted);
    } catch (IOException e) {
      throw new SlicewiseException(
          ExitCode.USAGE,
          file + " cannot be read: " + FileFault.words(e),
          "name a run directory, or a CSV table in UTF-8",
          e);
    }
  }

  private static CsvFile readRows(Path file, Predicate<List<String>> wanted) throws IOException {
    try (BufferedReader in = Files.newBufferedReader(file)) {
      List<String> header = header(in);
      List<Line> rows = new ArrayList<>();
      String text = wanted.test(header) ? in.readLine() : null;
      for (int number = 2; text != null; number++) {
        if (!text.isBlank()) {
          rows.add(line(file + ":" + number, header, fields(text)));
        }
        text = in.readLine();
      }
      return new CsvFile(file, header, rows);
    }
  }

  /** Refuses what could not be understood, all of it together. */
  static void refuse(List<String> faults) {
    if (!faults.isEmpty()) {
      throw new SlicewiseException(
          ExitCode.USAGE,
          String.join("\n", faults),
          "a table has one row a number; see docs/check.md");
    }
  }

  /**
   * Empty when the first line is no text in UTF-8, or there is none. Spreadsheets put a mark before
   * it that is no part of the first name.
   */
  private static List<String> header(BufferedReader in) throws IOException {
    try {
      String first = in.readLine();
      return first == null || first.isBlank()
          ? List.of()
          : fields(first.startsWith(BYTE_ORDER_MARK) ? first.substring(1) : first);
    } catch (CharacterCodingException notText) {
      return List.of();
    }
  }

  private static Line line(String place, List<String> header, List<String> fields) {
    Map<String, String> values = new TreeMap<>();
    for (int i = 0; i < Math.min(header.size(), fields.size()); i++) {
      values.put(header.get(i), fields.get(i));
    }
    return new Line(place, values);
  }

  /** The fields of a line: commas part them, quotes keep commas, two quotes are one. */
  private static List<String> fields(String line) {
    List<String> fields = new ArrayList<>();
    StringBuilder field = new StringBuilder();
    boolean quoted = false;
    for (int i = 0; i < line.length(); i++) {
      char c = line.charAt(i);
      if (c == '"' && quoted && i + 1 < line.length() && line.charAt(i + 1) == '"') {
        field.append(c);
        i++;
      } else if (c == '"') {
        quoted = !quoted;
      } else if (c == ',' && !quoted) {
        fields.add(field.toString());
        field.setLength(0);
      } else {
        field.append(c);
      }
    }
    fields.add(field.toString());
    return fields;
  }
}
