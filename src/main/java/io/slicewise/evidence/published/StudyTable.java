package io.slicewise.evidence.published;

import io.slicewise.evidence.published.CsvFile.Line;
import java.util.ArrayList;
import java.util.List;

/**
 * A study of profiles and user loads, with one row per printed number: {@code metric} is {@code
 * throughput} in requests/s, {@code response_time} in ms, or {@code block}, {@code run}, {@code
 * wait} in percent of time, the last three of a domain, {@code vm}. An empty cell is unknown.
 */
record StudyTable(List<Row> rows) {
  static final List<String> COLUMNS =
      List.of("profile", "users", "metric", "vm", "mean", "stddev", "ci95_half_width");

  StudyTable {
    rows = List.copyOf(rows);
  }

  /**
   * One printed number.
   *
   * @param line where it was printed
   * @param deviation {@code NaN} if not printed
   * @param halfWidth of the printed 95 % interval; {@code NaN} if not printed
   */
  record Row(
      Line line,
      String profile,
      int users,
      String metric,
      String vm,
      double mean,
      double deviation,
      double halfWidth) {
    /** File and line, for messages. */
    String place() {
      return line.place();
    }

    Span deviationSpan() {
      return Span.of(line.text("stddev"));
    }

    Span halfWidthSpan() {
      return Span.of(line.text("ci95_half_width"));
    }

    boolean hasInterval() {
      return halfWidth > 0 && deviation > 0;
    }

    /** Profile and users, for messages. */
    String cell() {
      return profile + ", " + users + " users";
    }
  }

  /**
   * Reads the numbers of a file; rows without a number are omitted.
   *
   * @throws io.slicewise.base.units.SlicewiseException with all invalid lines
   */
  static StudyTable of(CsvFile file) {
    List<String> faults = new ArrayList<>();
    List<Row> rows =
        file.lines().stream()
            .filter(line -> !line.text("mean").isBlank())
            .map(line -> row(line, faults))
            .toList();
    CsvFile.refuse(faults);
    return new StudyTable(rows);
  }

  private static Row row(Line line, List<String> faults) {
    return new Row(
        line,
        line.text("profile"),
        users(line, faults),
        line.text("metric"),
        line.text("vm"),
        line.number("mean", faults),
        line.number("stddev", faults),
        line.number("ci95_half_width", faults));
  }

  private static int users(Line line, List<String> faults) {
    String text = line.text("users").trim();
    if (!text.matches("0*[1-9]\\d{0,8}")) {
      faults.add(line.place() + ": users '" + text + "' is not a whole number of at least 1");
      return 0;
    }
    return Integer.parseInt(text);
  }
}
