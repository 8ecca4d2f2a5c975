package io.slicewise.tune.course;

import io.slicewise.experiment.load.Load;
import io.slicewise.run.journal.PlannedTrial.Purpose;
import io.slicewise.run.result.Measured;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.TreeMap;

/**
 * A block of a tune over all loads that share its answer: the trials with the same purpose and
 * block number.
 */
final class UnitResults {
  private final int block;
  private final Map<String, Map<Load, Outcome>> byName = new LinkedHashMap<>();
  private int session;

  private UnitResults(int block) {
    this.block = block;
  }

  /** Returns the blocks of one purpose in order. */
  static List<UnitResults> of(List<Outcome> outcomes, Purpose purpose) {
    Map<Integer, UnitResults> units = new TreeMap<>();
    for (Outcome one : outcomes) {
      if (one.isFor(purpose)) {
        units.computeIfAbsent(one.trial().block(), UnitResults::new).take(one);
      }
    }
    return new ArrayList<>(units.values());
  }

  private void take(Outcome one) {
    byName.computeIfAbsent(one.name(), any -> new HashMap<>()).put(one.trial().load(), one);
    session = one.trial().place().map(place -> place.session()).orElse(session);
  }

  int block() {
    return block;
  }

  /** Returns the session of its last window; 0 without sessions. */
  int session() {
    return session;
  }

  List<String> names() {
    return List.copyOf(byName.keySet());
  }

  /** Returns whether it has a trial at all these loads. */
  boolean covers(List<Load> loads) {
    return byName.values().stream().allMatch(trials -> trials.keySet().containsAll(loads));
  }

  int lastNumber() {
    return byName.values().stream()
        .flatMap(trials -> trials.values().stream())
        .mapToInt(one -> one.trial().number())
        .max()
        .orElse(0);
  }

  /** Returns a candidate's metric over all its loads; empty if one is missing. */
  OptionalDouble value(String name, GoalMetric metric) {
    Map<Load, Double> values = new HashMap<>();
    byName
        .getOrDefault(name, Map.of())
        .forEach((load, one) -> values.put(load, one.figure(metric)));
    return metric.of(values);
  }

  /** Returns a candidate's metric at one load; {@code NaN} if it is missing. */
  double figure(String name, Load load, GoalMetric metric) {
    Outcome one = byName.getOrDefault(name, Map.of()).get(load);
    return one == null ? Double.NaN : one.figure(metric);
  }

  /** Returns the valid results of a candidate. */
  List<Measured> each(String name) {
    return byName.getOrDefault(name, Map.of()).values().stream()
        .flatMap(one -> one.result().stream())
        .toList();
  }
}
