package io.slicewise.evidence.published;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/** All numbers of some tables, by their description. */
final class PublishedNumbers {
  private record Of(Map<String, String> keys, String variant, String metric) {}

  private final List<Printed> all;
  private final Map<Of, List<Printed>> index = new LinkedHashMap<>();

  PublishedNumbers(List<Printed> all) {
    this.all = List.copyOf(all);
    for (Printed number : all) {
      index
          .computeIfAbsent(
              new Of(plain(number.keys()), number.variant(), number.metric()),
              of -> new ArrayList<>())
          .add(number);
    }
  }

  List<Printed> all() {
    return all;
  }

  /** The numbers grouped by quantity, in the order of the tables. */
  Iterable<List<Printed>> ofOneThing() {
    return index.values();
  }

  /** All numbers of one quantity. */
  List<Printed> of(Map<String, String> keys, String variant, String metric) {
    return index.getOrDefault(new Of(plain(keys), variant, metric), List.of());
  }

  /** Names are compared without regard to case and spaces. */
  private static Map<String, String> plain(Map<String, String> keys) {
    Map<String, String> plain = new TreeMap<>();
    keys.forEach(
        (column, name) ->
            plain.put(column, name.trim().toLowerCase(Locale.ROOT).replaceAll("\\s+", " ")));
    return plain;
  }
}
