package io.slicewise.evidence.published;

import java.util.ArrayList;
import java.util.Map;
import java.util.TreeMap;

/**
 * One number of a table, with all that says what it is of.
 *
 * @param place file and line, for messages
 * @param table the file and the table in it
 * @param keys what the number is of, but for the system or layer: column and value
 * @param variant the system or layer: {@code base}, {@code xen}, {@code dom0}, {@code dom1}; {@code
 *     xen-base} or {@code dom1 vs dom0} of a number made of two; empty when there is none
 * @param metric in small letters, words joined by {@code _}
 * @param text as printed
 * @param line where the optional columns are
 */
record Printed(
    String place,
    Table table,
    Map<String, String> keys,
    String variant,
    String metric,
    String unit,
    String text,
    CsvFile.Line line) {
  private static final Map<String, Double> SECONDS =
      Map.of("ms", 1e-3, "us", 1e-6, "µs", 1e-6, "ns", 1e-9);

  /** A column without a word says nothing of the number. */
  Printed {
    keys = new TreeMap<>(keys);
    keys.values().removeIf(String::isBlank);
  }

  /**
   * Where a number was printed.
   *
   * @param name the source's own number of it; empty when not told
   */
  record Table(String file, String name) {
    @Override
    public String toString() {
      return name.isEmpty() ? file : "table " + name;
    }
  }

  /** What it may stand for; times are in seconds, whatever they were printed in. */
  Span span() {
    return Span.of(text).times(scale());
  }

  double value() {
    return span().middle();
  }

  /** Runs that it is a mean of; {@code NaN} when not told. */
  double runs() {
    return line.number("n_runs", new ArrayList<>());
  }

  /** Between runs, in the unit of its value; {@code NaN} when not printed. */
  double deviation() {
    return line.number("stddev", new ArrayList<>()) * scale();
  }

  /** The coefficient of variation between runs; 0 when not printed. */
  double variation() {
    return deviation() > 0 ? deviation() / Math.abs(value()) : 0;
  }

  private double scale() {
    return SECONDS.getOrDefault(unit.trim().split(" ", 2)[0], 1.0);
  }

  /** What its case is called; empty when not told. */
  String experiment() {
    return keys.getOrDefault("experiment", "");
  }

  /** Whether another number is of the same thing, whatever a column says. */
  boolean sameBut(String column, Printed other) {
    Map<String, String> mine = new TreeMap<>(keys);
    Map<String, String> others = new TreeMap<>(other.keys);
    mine.remove(column);
    others.remove(column);
    return mine.equals(others);
  }

  /** The table and line, for messages. */
  String where() {
    return "%s, %s".formatted(table, place.replaceFirst(".*[/\\\\]", ""));
  }

  boolean percent() {
    return unit.equals("percent");
  }

  /** What the number is of, for messages. */
  String subject() {
    String of = String.join(", ", keys.values());
    return of + (variant.isEmpty() ? "" : ", " + line.text(NumberTable.variantColumn(line)));
  }
}
