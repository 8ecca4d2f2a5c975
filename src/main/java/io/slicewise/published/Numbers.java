package io.slicewise.published;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** All numbers of some tables, found by what they are of. */
final class Numbers {
  private record Of(Map<String, String> keys, String variant, String metric) {}

  private final List<Printed> all;
  private final Map<Of, List<Printed>> index = new LinkedHashMap<>();

  Numbers(List<Printed> all) {
    this.all = List.copyOf(all);
    for (Printed number : all) {
      index
          .computeIfAbsent(
              new Of(number.keys(), number.variant(), number.metric()), of -> new ArrayList<>())
          .add(number);
    }
  }

  List<Printed> all() {
    return all;
  }

  /** The numbers of one thing each, in the order of the tables. */
  Iterable<List<Printed>> ofOneThing() {
    return index.values();
  }

  /** Another number of the same case. */
  Optional<Printed> beside(Printed number, String variant, String metric) {
    return find(number, number.keys(), variant, metric);
  }

  /**
   * A number, looked for in the table of the one that needs it, then in its file, then elsewhere;
   * empty if there is none, and if there are several there that are not alike.
   */
  Optional<Printed> find(Printed near, Map<String, String> keys, String variant, String metric) {
    List<Printed> found = index.getOrDefault(new Of(keys, variant, metric), List.of());
    return Stream.<Predicate<Printed>>of(
            one -> one.table().equals(near.table()),
            one -> one.table().file().equals(near.table().file()),
            one -> true)
        .map(where -> found.stream().filter(where).toList())
        .filter(there -> !there.isEmpty())
        .findFirst()
        .filter(there -> there.stream().allMatch(one -> one.span().equals(there.get(0).span())))
        .map(there -> there.get(0));
  }
}
