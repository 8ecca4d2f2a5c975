package io.slicewise.experiment;

import io.slicewise.yaml.YamlMap;
import io.slicewise.yaml.YamlValue;
import java.net.URI;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The {@code workload} part: a name, or a name with its plan, target and properties. */
final class WorkloadReader {
  /** Stands in for one whose name is faulty, so that only the name is complained about. */
  private static final WorkloadSpec UNKNOWN = named("unknown");

  /** Workloads whose plan is told where to go by {@code target} alone. */
  private static final List<String> NEED_TARGET = List.of("web-app", "portal");

  private WorkloadReader() {}

  static WorkloadSpec read(YamlMap top, Path file) {
    return top.required("workload").map(value -> read(value, top, file)).orElse(UNKNOWN);
  }

  private static WorkloadSpec read(YamlValue value, YamlMap top, Path file) {
    if (value.isText()) {
      WorkloadSpec spec =
          value.oneOf(ExperimentKeys.WORKLOADS).map(WorkloadReader::named).orElse(UNKNOWN);
      checkPresence(spec, top, top, false);
      return spec;
    }
    return value
        .map(ExperimentKeys.WORKLOAD, " of workload")
        .map(map -> read(map, top, file))
        .orElse(UNKNOWN);
  }

  private static WorkloadSpec named(String name) {
    return new WorkloadSpec(name, Optional.empty(), Optional.empty(), Map.of());
  }

  private static WorkloadSpec read(YamlMap map, YamlMap top, Path file) {
    WorkloadSpec spec =
        new WorkloadSpec(
            map.required("name")
                .flatMap(value -> value.oneOf(ExperimentKeys.WORKLOADS))
                .orElse(UNKNOWN.name()),
            map.get("plan")
                .filter(value -> value.text().isPresent())
                .flatMap(value -> value.parsed(plan -> Paths.besides(file, plan))),
            map.get("target").flatMap(value -> value.parsed(WorkloadReader::target)),
            map.get("properties").map(WorkloadReader::properties).orElse(Map.of()));
    checkPresence(spec, map, top, map.has("target"));
    return spec;
  }

  private static void checkPresence(
      WorkloadSpec spec, YamlMap place, YamlMap top, boolean hasTarget) {
    if (spec.name().equals(WorkloadSpec.OWN_PLAN) && spec.plan().isEmpty()) {
      place.fault("workload", "workload plan needs a 'plan': the path of a .jmx file");
    }
    if (NEED_TARGET.contains(spec.name()) && !hasTarget && !top.has("lab")) {
      place.fault(
          "workload",
          "workload " + spec.name() + " needs a 'target': where the first request goes");
    }
    if (!spec.loads() && place != top) {
      List.of("plan", "target", "properties").stream()
          .filter(place::has)
          .forEach(key -> place.fault(key, key + " has no meaning: observe loads nothing"));
    }
  }

  private static URI target(String text) {
    URI uri;
    try {
      uri = URI.create(text);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException("is not a URL", e);
    }
    if (uri.getHost() == null || !List.of("http", "https").contains(uri.getScheme())) {
      throw new IllegalArgumentException("must be a URL such as http://web.example:8080/index");
    }
    if (uri.getUserInfo() != null) {
      throw new IllegalArgumentException("must not hold a user or a password");
    }
    return uri;
  }

  private static Map<String, String> properties(YamlValue value) {
    Map<String, String> properties = new LinkedHashMap<>();
    value
        .anyMap(" of properties")
        .ifPresent(
            map ->
                map.keys()
                    .forEach(
                        key ->
                            map.get(key)
                                .flatMap(v -> v.parsed(text -> text))
                                .ifPresent(text -> properties.put(key, text))));
    return properties;
  }
}
