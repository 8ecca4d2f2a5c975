package io.slicewise.experiment;

import io.slicewise.base.units.DurationText;
import io.slicewise.base.yaml.YamlMap;
import io.slicewise.base.yaml.YamlValue;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.regex.Pattern;

/** What an experiment file says under {@code simulation}. */
final class SimulationReader {
  static final int MOST_CPUS = 64;
  static final String XEN_PATTERN = "^[0-9]\\.[0-9]{1,2}$";
  private static final Pattern XEN = Pattern.compile(XEN_PATTERN);

  private SimulationReader() {}

  static Optional<SimulationSpec> read(YamlMap top) {
    return top.get("simulation")
        .flatMap(value -> value.map(ExperimentKeys.SIMULATION, " of simulation"))
        .map(SimulationReader::spec);
  }

  private static SimulationSpec spec(YamlMap map) {
    return new SimulationSpec(
        map.get("demands").map(SimulationReader::demands).orElse(Map.of()),
        map.get("xen").flatMap(YamlValue::text).flatMap(xen -> version(map, xen)),
        map.get("pcpus")
            .flatMap(value -> value.integer(1, MOST_CPUS))
            .map(OptionalInt::of)
            .orElse(OptionalInt.empty()),
        map.get("vcpus").map(SimulationReader::vcpus).orElse(Map.of()));
  }

  private static Optional<String> version(YamlMap map, String xen) {
    if (!XEN.matcher(xen).matches()) {
      map.fault("xen", "xen " + xen + " of simulation must be a version such as \"4.17\"");
      return Optional.empty();
    }
    return Optional.of(xen);
  }

  private static Map<String, Duration> demands(YamlValue value) {
    Map<String, Duration> demands = new LinkedHashMap<>();
    Optional<YamlMap> map = value.map(ExperimentKeys.DEMANDS, " of demands");
    map.ifPresent(
        given ->
            given
                .keys()
                .forEach(
                    place ->
                        given
                            .get(place)
                            .flatMap(v -> v.parsed(DurationText::parse))
                            .ifPresent(demand -> demands.put(place, demand))));
    if (map.isPresent() && map.get().keys().isEmpty()) {
      value.refuse("must name at least one place and its time");
    }
    return demands;
  }

  private static Map<String, Integer> vcpus(YamlValue value) {
    Map<String, Integer> vcpus = new LinkedHashMap<>();
    value
        .anyMap(" of vcpus")
        .ifPresent(
            given ->
                given
                    .keys()
                    .forEach(
                        domain ->
                            given
                                .get(domain)
                                .flatMap(v -> v.integer(1, MOST_CPUS))
                                .ifPresent(count -> vcpus.put(domain, count))));
    return vcpus;
  }
}
