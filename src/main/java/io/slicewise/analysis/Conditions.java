package io.slicewise.analysis;

import io.slicewise.experiment.Experiment;
import io.slicewise.profile.Role;
import io.slicewise.units.DurationText;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * What an experiment measures, apart from the settings it tries: two runs whose conditions differ
 * measured different things, and their numbers are not to be compared. Where the target is, how
 * often a cell is repeated, the seed and the profiles are no part of it.
 *
 * @param facts by name, in words
 */
public record Conditions(Map<String, String> facts) {
  public Conditions {
    facts = Collections.unmodifiableMap(new LinkedHashMap<>(facts));
  }

  static Conditions of(Experiment experiment) {
    Map<String, String> facts = new LinkedHashMap<>();
    facts.put("workload", experiment.workload().name());
    experiment
        .workload()
        .plan()
        .flatMap(plan -> Optional.ofNullable(plan.getFileName()))
        .ifPresent(plan -> facts.put("plan", plan.toString()));
    new TreeMap<>(experiment.workload().properties())
        .forEach((key, value) -> facts.put("property " + key, value));
    for (Role role : Role.values()) {
      facts.put(
          role.key() + " domains",
          String.join(", ", experiment.domains().getOrDefault(role, List.of())));
    }
    facts.put("order", experiment.order().toString());
    facts.put("ramp", DurationText.of(experiment.ramp()));
    facts.put("warm-up", DurationText.of(experiment.warmUp()));
    facts.put("measure", DurationText.of(experiment.measure()));
    facts.put("cool-down", DurationText.of(experiment.coolDown()));
    experiment.lab().ifPresent(lab -> facts.put("lab", new TreeMap<>(lab).toString()));
    return new Conditions(facts);
  }

  /** In what the other differs, in words; empty when both measured the same thing. */
  public List<String> differences(Conditions other) {
    Map<String, String> all = new LinkedHashMap<>(facts);
    all.putAll(other.facts);
    List<String> found = new ArrayList<>();
    for (String key : all.keySet()) {
      String here = facts.getOrDefault(key, "none");
      String there = other.facts.getOrDefault(key, "none");
      if (!here.equals(there)) {
        found.add(key + " " + here + " / " + there);
      }
    }
    return List.copyOf(found);
  }
}
