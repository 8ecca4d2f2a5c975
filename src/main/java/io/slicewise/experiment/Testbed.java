package io.slicewise.experiment;

import io.slicewise.host.Hypervisors;
import io.slicewise.profile.Role;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The host, the domains and the lab of an experiment.
 *
 * @param host empty if the experiment runs on an embedded lab that has no address yet
 * @param domains by role; {@code DOM0} is the control domain, if the host has one
 * @param lab settings of the embedded lab; empty map = defaults, empty optional = a real host
 * @param generators the machines that generate the load
 * @param simulation the assumptions of {@code simulate}; empty = its defaults
 * @param watching the machines whose kernels are read
 */
public record Testbed(
    Optional<HostSpec> host,
    Map<Role, List<String>> domains,
    Optional<Map<String, Object>> lab,
    Generators generators,
    Optional<SimulationSpec> simulation,
    Watching watching) {
  public Testbed {
    domains = Map.copyOf(domains);
    // Keeps the order, so that the same experiment always gives the same text.
    lab = lab.map(map -> Collections.unmodifiableMap(new LinkedHashMap<>(map)));
  }

  /** Returns the toolstack of the host or the lab, if the experiment states one. */
  public Optional<String> statedToolstack() {
    return statedToolstack(host, lab);
  }

  public static Optional<String> statedToolstack(
      Optional<HostSpec> host, Optional<Map<String, Object>> lab) {
    return host.flatMap(HostSpec::statedToolstack).or(() -> lab.flatMap(Testbed::toolstack));
  }

  /** Returns the toolstack of the hypervisor that a lab's settings name, if they name one. */
  private static Optional<String> toolstack(Map<String, Object> lab) {
    return Optional.ofNullable(lab.get("hypervisor"))
        .map(String::valueOf)
        .filter(Hypervisors.products()::contains)
        .map(Hypervisors::firstToolstack);
  }
}
