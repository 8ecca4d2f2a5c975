package io.slicewise.evidence.published;

import java.util.ArrayList;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * One number of a table, with its description.
 *
 * @param place file and line, for messages
 * @param table the file and the table in it
 * @param keys the description of the number without system or layer: column and value
 * @param variant the system or layer: {@code base}, {@code xen}, {@code dom0}, {@code dom1}; {@code
 *     xen-base} or {@code dom1 vs dom0} if derived from two; empty if there is none
 * @param metric in small letters, words joined by {@code _}
 * @param text as printed
 * @param line the line, for optional columns
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
      Map.of("s", 1.0, "ms", 1e-3, "us", 1e-6, "µs", 1e-6, "ns", 1e-9, "min", 60.0, "h", 3600.0);

  /** Metrics that are times, and those that are sizes, wherever they are computed with. */
  private static final Set<String> TIMES =
      Set.of("runtime", "user", "sys", "iowait", "steal", "syscall_time", "avgrdwait", "r_ms");

  private static final Set<String> SIZES = Set.of("disk_read", "data_accessed");

  /** Columns without text do not describe the number. */
  Printed {
    keys = new TreeMap<>(keys);
    keys.values().removeIf(String::isBlank);
  }

  /**
   * Where a number was printed.
   *
   * @param name its number in the source; empty if unknown
   */
  record Table(String file, String name) {
    @Override
    public String toString() {
      return name.isEmpty() ? file : "table " + name;
    }
  }

  /** The range of its possible values; times are in seconds, whatever the printed unit. */
  Span span() {
    return Span.of(text).times(scale());
  }

  double value() {
    return span().middle();
  }

  /** The number of runs of which it is the mean; {@code NaN} if unknown. */
  double runs() {
    return line.number("n_runs", new ArrayList<>());
  }

  /** The deviation between runs, in the unit of its value; {@code NaN} if not printed. */
  double deviation() {
    return line.number("stddev", new ArrayList<>()) * scale();
  }

  /** The coefficient of variation between runs; 0 when not printed. */
  double variation() {
    return deviation() > 0 ? deviation() / Math.abs(value()) : 0;
  }

  private double scale() {
    return SECONDS.getOrDefault(unitWord(), 1.0);
  }

  /** The unit without remarks, as in {@code ms (table header)}. */
  private String unitWord() {
    return unit.trim().split(" ", 2)[0];
  }

  /** Why a study cannot compute with its unit; empty if it can. */
  Optional<String> unitFault() {
    boolean time = TIMES.contains(metric) && !SECONDS.containsKey(unitWord());
    boolean size = SIZES.contains(metric) && !unitWord().equals("MB");
    return (time || size) && !percent()
        ? Optional.of(
            "%s is in '%s'; use %s"
                .formatted(metric, unit, time ? "s, ms, us, ns, min or h" : "MB"))
        : Optional.empty();
  }

  /** Whether it is a part or a change of a quantity, and not the quantity. */
  boolean relative() {
    return percent() && (TIMES.contains(metric) || SIZES.contains(metric));
  }

  /** The name of its case; empty if unknown. */
  String experiment() {
    return keys.getOrDefault("experiment", "");
  }

  /** Whether another number has the same description, except for one column. */
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

  /** Whether its unit is one of time. */
  boolean isTime() {
    return SECONDS.containsKey(unitWord());
  }

  boolean percent() {
    return unit.equals("percent") || unit.equals("%");
  }

  /** The description of the number, for messages. */
  String subject() {
    String of = String.join(", ", keys.values());
    return of + (variant.isEmpty() ? "" : ", " + line.text(NumberTable.variantColumn(line)));
  }
}
