package io.slicewise.evidence.published;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * One number of a published table, for those who compute with it.
 *
 * @param table the file and the table in it
 * @param keys what the number is of: column and text, such as {@code experiment} and {@code query}
 * @param side {@code base}, {@code xen} for a guest, {@code dom0}, {@code dom1}; {@code xen-base}
 *     of a difference; empty when the table has no such column
 * @param metric in small letters, words joined by {@code _}
 * @param value times in seconds, all others in the unit printed
 * @param deviation between runs, in the unit of {@code value}; {@code NaN} when not printed
 * @param runs that the value is a mean of; {@code NaN} when not printed
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
   * All numbers of some tables, in their order; tables of another form have none.
   *
   * @throws io.slicewise.base.units.SlicewiseException if a file cannot be read, or a number is
   *     none
   */
  public static List<PublishedNumber> read(List<Path> files) {
    return files.stream()
        .map(file -> CsvFile.read(file, header -> header.containsAll(NumberTable.COLUMNS)))
        .filter(file -> file.header().containsAll(NumberTable.COLUMNS))
        .flatMap(file -> NumberTable.numbers(file).stream())
        .map(PublishedNumber::of)
        .toList();
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
