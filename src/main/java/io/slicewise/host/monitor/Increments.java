package io.slicewise.host.monitor;

import java.util.HashMap;
import java.util.Map;

/** The growth of counters between readings, and the time for which it is known. */
final class Increments<K> {
  private record Grown(double by, double seconds) {}

  private final Map<K, Grown> grown = new HashMap<>();

  /**
   * Adds the growth between two readings; unknown for a counter that is missing in one or went
   * backwards.
   */
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

  /** The growth per second. */
  Map<K, Double> rates() {
    Map<K, Double> rates = new HashMap<>();
    grown.forEach((name, so) -> rates.put(name, so.by() / so.seconds()));
    return rates;
  }
}
