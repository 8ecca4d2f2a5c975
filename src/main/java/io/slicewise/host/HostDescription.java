package io.slicewise.host;

import java.util.List;
import java.util.stream.Collectors;

/**
 * The description of a host, found by probing.
 *
 * @param toolstack for example {@code xl}
 * @param version {@code xen_major.xen_minor} and {@code xen_extra}, e.g. {@code 4.17.3}
 * @param bootScheduler name of the first pool's scheduler
 * @param cpuMegahertz {@code NaN} if unknown
 */
public record HostDescription(
    String toolstack,
    HypervisorVersion version,
    String release,
    int pcpus,
    double cpuMegahertz,
    String bootScheduler,
    List<CpuPool> cpupools) {
  public HostDescription {
    cpupools = List.copyOf(cpupools);
  }

  /** The hypervisor with its version: {@code Xen 4.17.3}. */
  public String hypervisor() {
    return Hypervisors.text(toolstack, version.toString());
  }

  /** Returns why a target is no cpupool with settings, as the rest of a sentence. */
  public String noSuchPool() {
    return "is not a cpupool of the host with settings for its scheduler; cpupools are %s"
        .formatted(
            cpupools.stream()
                .map(pool -> "%s (%s)".formatted(pool.name(), pool.scheduler()))
                .collect(Collectors.joining(", ")));
  }

  /** A set of pCPUs with its own scheduler; {@code scheduler} is the hypervisor's name for it. */
  public record CpuPool(String name, int pcpus, String scheduler, int domains) {}
}
