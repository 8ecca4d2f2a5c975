package io.slicewise.evidence.published;

import de.siegmar.fastcsv.reader.CsvParseException;
import de.siegmar.fastcsv.reader.CsvReader;
import de.siegmar.fastcsv.reader.CsvRecord;
import de.siegmar.fastcsv.reader.FieldMismatchStrategy;
import io.slicewise.base.units.FileFault;
import io.slicewise.base.units.InputFile;
import io.slicewise.base.units.SlicewiseException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Predicate;

/** A CSV table: a header, and lines with their positions. Empty lines are omitted. */
record CsvFile(Path file, List<String> header, List<Line> lines) {
  private static final String BYTE_ORDER_MARK = "\uFEFF";
  private static final CsvReader.CsvReaderBuilder CSV =
      CsvReader.builder()
          .extraFieldStrategy(FieldMismatchStrategy.IGNORE)
          .missingFieldStrategy(FieldMismatchStrategy.IGNORE)
          .allowUnclosedQuote(false);

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
    /** The text of a column; empty if there is none. */
    String text(String column) {
      return values.getOrDefault(column, "");
    }

    /**
     * The number in a column; {@code NaN} if there is none, or if it is invalid, which is added to
     * the errors.
     */
    double number(String column, List<String> faults) {
      if (text(column).isBlank()) {
        return Double.NaN;
      }
      try {
        return new BigDecimal(text(column).trim()).doubleValue();
      } catch (NumberFormatException e) {
        faults.add(
            "%s: %s '%s' is not a number%s"
                .formatted(
                    place,
                    column,
                    text(column),
                    text(column).contains(",")
                        ? "; write it with a decimal point and without separators"
                        : ""));
        return Double.NaN;
      }
    }

    /**
     * The range of the number in a column; empty if there is none.
     *
     * @throws NumberFormatException if it is invalid
     */
    Optional<Span> span(String column) {
      return text(column).isBlank() ? Optional.empty() : Optional.of(Span.of(text(column)));
    }
  }

  /**
   * Reads a table if its header is wanted; otherwise only the header, because other files in a
   * directory may be large.
   *
   * @throws SlicewiseException if the file cannot be read
   */
  static CsvFile read(Path file, Predicate<List<String>> wanted) {
    try {
      InputFile.requireRegular(file);
      return readRows(file, wanted);
    } catch (IOException e) {
      throw SlicewiseException.input(
          file + " cannot be read: " + FileFault.reason(e),
          "specify a run directory, or a CSV table in UTF-8",
          e);
    }
  }

  private static CsvFile readRows(Path file, Predicate<List<String>> wanted) throws IOException {
    List<String> header = List.of();
    List<Line> rows = new ArrayList<>();
    try (CsvReader<CsvRecord> in = CSV.ofCsvRecord(Files.newBufferedReader(file))) {
      for (CsvRecord row : in) {
        if (header.isEmpty()) {
          header = names(row.getFields());
          refuseOtherSeparators(header, wanted);
          if (!wanted.test(header)) {
            break;
          }
        } else if (!isBlank(row)) {
          rows.add(line(file + ":" + row.getStartingLineNumber(), header, row.getFields()));
        }
      }
      return new CsvFile(file, header, rows);
    } catch (UncheckedIOException e) {
      if (header.isEmpty() && e.getCause() instanceof CharacterCodingException) {
        return new CsvFile(file, List.of(), List.of()); // not text, so not a table
      }
      throw e.getCause();
    } catch (CsvParseException e) {
      throw new IOException(sentence(e), e);
    }
  }

  /** The library's message contains the line in its cause. */
  private static String sentence(CsvParseException e) {
    return e.getCause() == null
        ? e.getMessage()
        : "%s: %s".formatted(e.getMessage(), e.getCause().getMessage());
  }

  /** Throws one exception for all errors, if any. */
  static void refuse(List<String> faults) {
    if (!faults.isEmpty()) {
      throw SlicewiseException.input(
          String.join("\n", faults), "a table has one row per number; see docs/check.md");
    }
  }

  /** Spreadsheets put a byte order mark before the first name. */
  private static List<String> names(List<String> header) {
    return header.stream()
        .map(name -> name.replace(BYTE_ORDER_MARK, "").strip().toLowerCase(Locale.ROOT))
        .toList();
  }

  /** Some spreadsheets write semicolons or tabs, and then also decimal commas. */
  private static void refuseOtherSeparators(List<String> header, Predicate<List<String>> wanted)
      throws IOException {
    for (String separator : List.of(";", "\t")) {
      if (header.size() == 1 && wanted.test(names(List.of(header.get(0).split(separator, -1))))) {
        throw new IOException(
            "its columns are separated by %s; save it with commas between columns and decimal points"
                .formatted(separator.equals(";") ? "semicolons" : "tabs"));
      }
    }
  }

  private static boolean isBlank(CsvRecord row) {
    return row.getFieldCount() == 1 && row.getField(0).isBlank();
  }

  private static Line line(String place, List<String> header, List<String> fields) {
    Map<String, String> values = new TreeMap<>();
    for (int i = 0; i < Math.min(header.size(), fields.size()); i++) {
      values.put(header.get(i), fields.get(i));
    }
    return new Line(place, values);
  }
}
