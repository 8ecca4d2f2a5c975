package io.slicewise.evidence.published;

import io.slicewise.evidence.published.CsvFile.Line;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * A table with one row per printed number, from any study. The columns {@code metric}, {@code unit}
 * and {@code value} are required. {@code system} or {@code layer} distinguishes two sides; {@code
 * stddev}, {@code n_runs}, {@code min}, {@code max} and {@code printed} belong to the number;
 * {@code source_table}, {@code flags}, {@code note} and {@code bold_in_print} are ignored. All
 * other columns describe the number.
 */
final class NumberTable {
  static final List<String> COLUMNS = List.of("metric", "unit", "value");

  private static final List<String> VARIANTS = List.of("system", "layer");
  private static final Set<String> NOT_KEYS =
      Set.of(
          "metric",
          "unit",
          "value",
          "system",
          "layer",
          "stddev",
          "n_runs",
          "min",
          "max",
          "printed",
          "source_table",
          "flags",
          "note",
          "bold_in_print");

  /** Synonyms. */
  private static final Map<String, String> SAME =
      Map.of("system_time", "sys", "system", "sys", "domu", "xen", "calls", "syscalls");

  private NumberTable() {}

  /**
   * Reads the numbers of a file; rows without a number are omitted.
   *
   * @throws io.slicewise.base.units.SlicewiseException with all invalid lines
   */
  static List<Printed> numbers(CsvFile file) {
    List<Printed> numbers = new ArrayList<>();
    List<String> faults = new ArrayList<>();
    for (Line line : file.lines()) {
      List.of("value", "stddev", "n_runs", "min", "max")
          .forEach(column -> line.number(column, faults));
      if (!line.text("value").isBlank()) {
        numbers.add(number(file, line));
      }
    }
    CsvFile.refuse(faults);
    return numbers;
  }

  private static Printed number(CsvFile file, Line line) {
    Map<String, String> keys = new TreeMap<>(line.values());
    keys.keySet().removeAll(NOT_KEYS);
    return new Printed(
        line.place(),
        new Printed.Table(file.file().toString(), line.text("source_table")),
        keys,
        known(line.text(variantColumn(line))),
        known(line.text("metric")),
        line.text("unit"),
        line.text("value"),
        line);
  }

  static String variantColumn(Line line) {
    return VARIANTS.stream().filter(line.values()::containsKey).findFirst().orElse(VARIANTS.get(0));
  }

  private static String known(String name) {
    String plain =
        name.trim().toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9 -]+", "_").replace(' ', '_');
    return SAME.getOrDefault(plain, plain);
  }
}
