package io.slicewise.published;

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
  Printed {
    keys = new TreeMap<>(keys);
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
    Span printed = Span.of(text);
    return unit.equals("ms") || unit.startsWith("ms ") ? printed.times(1e-3) : printed;
  }

  double value() {
    return span().middle();
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
