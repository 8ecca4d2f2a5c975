package io.slicewise.evidence.facts;

import io.slicewise.base.units.DurationText;
import io.slicewise.experiment.Experiment;
import io.slicewise.experiment.ExperimentFacts;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The conditions of a measurement, apart from the settings tried. Runs with different conditions
 * must not be compared. The target's location, the repetitions, the seed and the profiles are not
 * conditions.
 *
 * @param facts by name, including every option of the workload, except those that did not exist
 *     when the facts were stored
 */
public record Conditions(Map<String, String> facts) {
  private static final String WORKLOAD = "workload";
  private static final String OPTION = "option ";

  public Conditions {
    facts = Collections.unmodifiableMap(new LinkedHashMap<>(facts));
  }

  /** Returns the length of a trial's window; infinite if unknown. */
  public double seconds() {
    return Optional.ofNullable(facts.get("measure"))
        .map(words -> DurationText.parse(words).toMillis() / 1e3)
        .orElse(Double.POSITIVE_INFINITY);
  }

  public static Conditions of(Experiment experiment) {
    Map<String, String> facts =
        new LinkedHashMap<>(ExperimentFacts.workload(experiment.workload()));
    ExperimentFacts.plan(experiment.workload()).ifPresent(plan -> facts.put("plan", plan));
    new TreeMap<>(experiment.workload().properties())
        .forEach((key, value) -> facts.put("property " + key, value));
    facts.putAll(ExperimentFacts.domains(experiment));
    facts.put("order", experiment.order().toString());
    facts.putAll(ExperimentFacts.durations(experiment));
    experiment.lab().ifPresent(lab -> facts.put("lab", new TreeMap<>(lab).toString()));
    return new Conditions(facts);
  }

  /**
   * Returns the conditions in which {@code other} differs; empty if both measured the same thing.
   */
  public List<String> differences(Conditions other) {
    Set<String> all = new LinkedHashSet<>(facts.keySet());
    all.addAll(other.facts.keySet());
    all.removeAll(untold(other));
    List<String> found = new ArrayList<>();
    for (String key : all) {
      String here = facts.getOrDefault(key, "none");
      String there = other.facts.getOrDefault(key, "none");
      if (!here.equals(there)) {
        found.add(key + " " + here + " / " + there);
      }
    }
    return List.copyOf(found);
  }

  /**
   * Returns the workload options that are unknown for one of the two; empty if the workloads
   * differ.
   */
  public List<String> unknown(Conditions other) {
    return Objects.equals(facts.get(WORKLOAD), other.facts.get(WORKLOAD))
        ? untold(other).stream().map(fact -> fact.substring(OPTION.length())).toList()
        : List.of();
  }

  private Set<String> untold(Conditions other) {
    return Stream.of(facts, other.facts)
        .flatMap(all -> all.keySet().stream())
        .filter(fact -> fact.startsWith(OPTION))
        .filter(fact -> !(facts.containsKey(fact) && other.facts.containsKey(fact)))
        .collect(Collectors.toCollection(LinkedHashSet::new));
  }
}
