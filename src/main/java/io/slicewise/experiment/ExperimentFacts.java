package io.slicewise.experiment;

import io.slicewise.base.units.DurationText;
import io.slicewise.profile.Role;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The facts of an experiment as text by name. Runs store them, so names and texts must not change.
 */
public final class ExperimentFacts {
  private ExperimentFacts() {}

  /** Returns the domains of each role. */
  public static Map<String, String> domains(Experiment experiment) {
    Map<String, String> facts = new LinkedHashMap<>();
    for (Role role : Role.values()) {
      List<String> domains = experiment.domains().getOrDefault(role, List.of());
      facts.put(role.key() + " domains", String.join(", ", domains));
    }
    return facts;
  }

  /** Returns the workload's name and options. */
  public static Map<String, String> workload(WorkloadSpec workload) {
    Map<String, String> facts = new LinkedHashMap<>(Map.of("workload", workload.name()));
    workload.optionWords().forEach((option, words) -> facts.put("option " + option, words));
    return facts;
  }

  /** Returns the file name of the workload's plan. */
  public static Optional<String> plan(WorkloadSpec workload) {
    return workload.plan().map(Path::getFileName).map(Path::toString);
  }

  /** Returns the durations of a trial's parts. */
  public static Map<String, String> durations(Experiment experiment) {
    Map<String, String> facts = new LinkedHashMap<>();
    facts.put("ramp", DurationText.of(experiment.ramp()));
    facts.put("warm-up", DurationText.of(experiment.warmUp()));
    facts.put(
        "measure",
        (experiment.measuresWork() ? "work within " : "") + DurationText.of(experiment.measure()));
    facts.put("cool-down", DurationText.of(experiment.coolDown()));
    return facts;
  }
}
