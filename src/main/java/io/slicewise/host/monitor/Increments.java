package io.slicewise.host.monitor;

import java.util.HashMap;
import java.util.Map;

/** How much counters grew, from one reading to the next, and over what time that is known. */
final class Increments<K> {
  private record Grown(double by, double seconds) {}

  private final Map<K, Grown> grown = new HashMap<>();

  /** A counter that is in one reading only, or went back, is not known in between. */
  void add(Map<K, Long> before, Map<K, Long> after, double seconds) {
    after.forEach(
        (name, now) -> {
          Long earlier = before.get(name);
          if (earlier != null && now >= earlier) {
            Grown so = grown.getOrDefault(name, new Grown(0, 0));
            grown.put(name, new Grown(so.by() + (now - earlier), so.seconds() + seconds));
          }
        });
  }

  Map<K, Double> sums() {
    Map<K, Double> sums = new HashMap<>();
    grown.forEach((name, so) -> sums.put(name, so.by()));
    return sums;
  }

  /** Growth a second. */
  Map<K, Double> rates() {
    Map<K, Double> rates = new HashMap<>();
    grown.forEach((name, so) -> rates.put(name, so.by() / so.seconds()));
    return rates;
  }
}
