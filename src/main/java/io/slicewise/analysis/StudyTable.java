package io.slicewise.analysis;

import io.slicewise.units.ExitCode;
import io.slicewise.units.FileFault;
import io.slicewise.units.SlicewiseException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * A table of somebody's study: CSV with a header, one row a printed number. Needed columns: {@code
 * profile}, {@code users}, {@code metric} ({@code throughput} in requests/s, {@code response_time}
 * in ms, {@code block}, {@code run}, {@code wait} in percent of time), {@code vm} (for shares),
 * {@code mean}, {@code stddev}, {@code ci95_half_width}; others are ignored. An empty cell is not
 * known.
 */
public record StudyTable(List<Row> rows) {
  private static final List<String> COLUMNS =
      List.of("profile", "users", "metric", "vm", "mean", "stddev", "ci95_half_width");

  public StudyTable {
    rows = List.copyOf(rows);
  }

  /**
   * One printed number.
   *
   * @param place file and line, for messages
   * @param deviation {@code NaN} when not printed
   * @param halfWidth of the printed 95 % interval; {@code NaN} when not printed
   */
  public record Row(
      String place,
      String profile,
      int users,
      String metric,
      String vm,
      double mean,
      double deviation,
      double halfWidth) {
    /** Profile and users, for messages. */
    public String cell() {
      return profile + ", " + users + " users";
    }
  }

  /** Whether the file's header has the columns of such a table. */
  public static boolean recognises(Path file) {
    try (var lines = Files.lines(file)) {
      return lines.findFirst().map(header -> fields(header).containsAll(COLUMNS)).orElse(false);
    } catch (IOException | java.io.UncheckedIOException e) {
      return false;
    }
  }

  /**
   * Reads a table.
   *
   * @throws SlicewiseException naming all lines that cannot be understood, or if the file cannot be
   *     read
   */
  public static StudyTable read(Path file) {
    List<String> lines = lines(file);
    List<String> header = lines.isEmpty() ? List.of() : fields(lines.get(0));
    List<String> faults = new ArrayList<>();
    COLUMNS.stream()
        .filter(column -> !header.contains(column))
        .forEach(column -> faults.add(file + ":1: the column '" + column + "' is missing"));
    boolean readable = faults.isEmpty();
    List<Row> rows = new ArrayList<>();
    for (int i = 1; readable && i < lines.size(); i++) {
      if (!lines.get(i).isBlank()) {
        rows.add(row(file + ":" + (i + 1), header, fields(lines.get(i)), faults));
      }
    }
    if (!faults.isEmpty()) {
      throw new SlicewiseException(
          ExitCode.USAGE,
          String.join("\n", faults),
          "a table has one row a number; see docs/methods.md");
    }
    return new StudyTable(rows);
  }

  private static List<String> lines(Path file) {
    try {
      return Files.readAllLines(file);
    } catch (IOException e) {
      throw new SlicewiseException(
          ExitCode.USAGE,
          file + " cannot be read: " + FileFault.words(e),
          "name a run directory, or a CSV table in UTF-8",
          e);
    }
  }

  private static Row row(
      String place, List<String> header, List<String> fields, List<String> faults) {
    Map<String, String> values = new TreeMap<>();
    for (int i = 0; i < Math.min(header.size(), fields.size()); i++) {
      values.put(header.get(i), fields.get(i));
    }
    return new Row(
        place,
        values.getOrDefault("profile", ""),
        (int) number(place, values, "users", faults),
        values.getOrDefault("metric", ""),
        values.getOrDefault("vm", ""),
        number(place, values, "mean", faults),
        number(place, values, "stddev", faults),
        number(place, values, "ci95_half_width", faults));
  }

  private static double number(
      String place, Map<String, String> values, String column, List<String> faults) {
    String text = values.getOrDefault(column, "");
    if (text.isBlank()) {
      return Double.NaN;
    }
    try {
      return Double.parseDouble(text);
    } catch (NumberFormatException e) {
      faults.add(place + ": " + column + " '" + text + "' is not a number");
      return Double.NaN;
    }
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
