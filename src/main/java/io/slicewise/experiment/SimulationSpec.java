package io.slicewise.experiment;

import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * The {@code simulation} part of an experiment file: the assumptions of {@code slicewise simulate}
 * about the host and the application. Measurements ignore it.
 *
 * @param demands CPU time of a request, by place; zero for a missing place; empty = not given
 * @param xen the hypervisor's version, as {@code 4.17}
 * @param pcpus of the host
 * @param vcpus by domain, in the order in which they start; unknown for a missing domain
 */
public record SimulationSpec(
    Map<String, Duration> demands,
    Optional<String> xen,
    OptionalInt pcpus,
    Map<String, Integer> vcpus) {
  public SimulationSpec {
    demands = Collections.unmodifiableMap(new LinkedHashMap<>(demands));
    vcpus = Collections.unmodifiableMap(new LinkedHashMap<>(vcpus));
  }
}
