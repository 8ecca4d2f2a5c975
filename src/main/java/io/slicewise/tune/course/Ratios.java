package io.slicewise.tune.course;

import io.slicewise.profile.Parameter;
import io.slicewise.profile.SchedulerParameters;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.TreeMap;

/**
 * The settings that were seen so far, up to a common factor of all domains' weights: of weights and
 * shares only ratios matter.
 */
final class Ratios {
  private final Map<String, SchedulerParameters> found;
  private final Map<Object, String> seen = new HashMap<>();

  /**
   * @param found the settings of all domains; empty if unknown, then nothing is compared
   */
  Ratios(Map<String, SchedulerParameters> found) {
    this.found = Map.copyOf(found);
  }

  /** Returns the candidate that already has these settings; otherwise they become this one's. */
  Optional<String> earlier(String name, Map<String, SchedulerParameters> settings) {
    return found.isEmpty()
        ? Optional.empty()
        : Optional.ofNullable(seen.putIfAbsent(key(settings), name));
  }

  private Object key(Map<String, SchedulerParameters> settings) {
    Map<String, SchedulerParameters> all = new TreeMap<>(found);
    all.putAll(settings);
    Map<String, List<OptionalDouble>> weights = new TreeMap<>();
    Set<String> others = new HashSet<>();
    all.forEach(
        (domain, parameters) -> {
          int vcpu = 0;
          for (SchedulerParameters one : parameters.each()) {
            for (Parameter<?> parameter : one.scheduler().parameters()) {
              if (parameter.measure() == Parameter.Measure.RATIO) {
                weights
                    .computeIfAbsent(
                        one.scheduler().xenName() + " " + parameter.key(), any -> new ArrayList<>())
                    .add(one.optionalNumber(parameter));
              } else {
                others.add(
                    "%s %d %s %s".formatted(domain, vcpu, parameter.key(), one.get(parameter)));
              }
            }
            vcpu++;
          }
        });
    return List.of(all.keySet(), reduced(weights), others);
  }

  private static Map<String, List<String>> reduced(Map<String, List<OptionalDouble>> weights) {
    Map<String, List<String>> reduced = new TreeMap<>();
    weights.forEach(
        (key, values) -> {
          boolean known = values.stream().allMatch(OptionalDouble::isPresent);
          long factor =
              known
                  ? values.stream()
                      .map(value -> BigInteger.valueOf(Math.round(value.getAsDouble())))
                      .reduce(BigInteger.ZERO, BigInteger::gcd)
                      .max(BigInteger.ONE)
                      .longValueExact()
                  : 1;
          reduced.put(
              key,
              values.stream()
                  .map(
                      value ->
                          value.isPresent()
                              ? String.valueOf(Math.round(value.getAsDouble()) / factor)
                              : "default")
                  .toList());
        });
    return reduced;
  }
}
