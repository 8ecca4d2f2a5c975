package io.slicewise.evidence.published;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * One number of a published table, for computations.
 *
 * @param table the file and the table in it
 * @param keys the description of the number: column and text, such as {@code experiment} and {@code
 *     query}
 * @param side {@code base}, {@code xen} for a guest, {@code dom0}, {@code dom1}; {@code xen-base}
 *     for a difference; empty if the table has no such column
 * @param metric in small letters, words joined by {@code _}
 * @param value times in seconds, others in the printed unit
 * @param deviation between runs, in the unit of {@code value}; {@code NaN} when not printed
 * @param runs number of runs of which the value is the mean; {@code NaN} if not printed
 */
public record PublishedNumber(
    String table,
    Map<String, String> keys,
    String side,
    String metric,
    double value,
    double deviation,
    double runs) {
  public PublishedNumber {
    keys = new TreeMap<>(keys);
  }

  /**
   * Reads all numbers of some tables, in order; tables of another form have none.
   *
   * @throws io.slicewise.base.units.SlicewiseException if a file cannot be read, a number is
   *     invalid, or it has a unit with which nothing can be computed
   */
  public static List<PublishedNumber> read(List<Path> files) {
    return files.stream()
        .map(file -> CsvFile.read(file, header -> header.containsAll(NumberTable.COLUMNS)))
        .filter(file -> file.header().containsAll(NumberTable.COLUMNS))
        .flatMap(file -> computable(NumberTable.numbers(file)))
        .map(PublishedNumber::of)
        .toList();
  }

  private static Stream<Printed> computable(List<Printed> numbers) {
    Map<String, String> faults = new LinkedHashMap<>();
    for (Printed number : numbers) {
      number.unitFault().ifPresent(fault -> faults.putIfAbsent(fault, number.place()));
    }
    CsvFile.refuse(
        faults.entrySet().stream().map(each -> each.getValue() + ": " + each.getKey()).toList());
    return numbers.stream().filter(number -> !number.relative());
  }

  /**
   * The cases to which this number's case is the one without interference: the start of their
   * names, empty for all; nothing if it has interference itself.
   */
  public Optional<String> aloneOf() {
    return Changes.aloneOf(keys.getOrDefault("experiment", ""));
  }

  private static PublishedNumber of(Printed printed) {
    return new PublishedNumber(
        printed.table().toString(),
        printed.keys(),
        printed.variant(),
        printed.metric(),
        printed.value(),
        printed.deviation(),
        printed.runs());
  }
}
