package io.slicewise.experiment;

import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * The {@code simulation} part of an experiment file: what {@code slicewise simulate} takes for
 * granted of the host and the application. Nothing that measures reads it.
 *
 * @param demands what a request needs, by place; a place left out needs nothing; empty = not given
 * @param xen the hypervisor's version, as {@code 4.17}
 * @param pcpus of the host
 * @param vcpus by domain, in the order in which they start; a domain left out is not given
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
