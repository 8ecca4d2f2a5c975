package io.slicewise.experiment;

import io.slicewise.host.Hypervisors;
import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * How to reach the host. What is left out comes from {@code ~/.ssh/config}, then SSH's defaults.
 * Holds no password: there is no place for one.
 *
 * @param address a host name, an address, or an alias of {@code ~/.ssh/config}; {@code localhost}
 *     with {@code local} runs commands on this machine without SSH
 * @param sudo whether the hypervisor's tools are called through {@code sudo -n}
 * @param cpupool the pool whose domains are tuned; empty = whichever pool each domain is in
 * @param limits how long it may take
 * @param hypervisor the product that it must have, in lower case; empty = probed
 * @param toolstack what to drive the host through, as {@code xl}; empty = probed
 */
public record HostSpec(
    String address,
    boolean local,
    Optional<String> user,
    OptionalInt port,
    Optional<Path> identity,
    Optional<Path> knownHosts,
    boolean sudo,
    Optional<String> cpupool,
    Optional<String> hypervisor,
    Optional<String> toolstack,
    HostLimits limits) {

  /** The toolstack that is named, or the first of the hypervisor that is. */
  public Optional<String> statedToolstack() {
    return toolstack.or(() -> hypervisor.map(Hypervisors::firstToolstack));
  }
}
