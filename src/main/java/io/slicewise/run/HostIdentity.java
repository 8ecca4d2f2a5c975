package io.slicewise.run;

import io.slicewise.host.Hypervisors;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * The identity of a host, to recognize it on another night.
 *
 * @param name its address, except for a lab, which has a different port each time
 * @param version of the hypervisor
 * @param kernel of the host, which is that of Domain-0 on Xen
 * @param scheduler of the first pool
 * @param domains vCPUs by name, for all domains that ran when the run began
 */
public record HostIdentity(
    String name,
    String toolstack,
    String version,
    String kernel,
    String scheduler,
    int pcpus,
    Map<String, Integer> domains) {
  public HostIdentity {
    domains = Collections.unmodifiableMap(new LinkedHashMap<>(domains));
  }

  static HostIdentity of(Environment found) {
    Map<String, Integer> domains = new LinkedHashMap<>();
    found.domains().forEach(domain -> domains.put(domain.name(), domain.vcpus()));
    return new HostIdentity(
        found.origin().kind() == Origin.Kind.LAB ? Origin.LAB_NAME : found.address(),
        found.host().toolstack(),
        found.host().version().toString(),
        found.host().release(),
        found.host().bootScheduler(),
        found.host().pcpus(),
        domains);
  }

  /**
   * Returns the stand-in for the host of a simulated run: what the simulation was computed with.
   */
  public static HostIdentity simulated(Origin origin) {
    return new HostIdentity(origin.sentence(), "", "", "", "", 0, Map.of());
  }

  /** The hypervisor with its version: {@code Xen 4.17.3}. */
  public String hypervisor() {
    return Hypervisors.text(toolstack, version);
  }

  /** The number of domains other than the control domain. */
  public int guests() {
    String control = Hypervisors.kind(toolstack).controlDomain().orElse("");
    return domains.size() - (domains.containsKey(control) ? 1 : 0);
  }

  /** Describes the differences from another host; empty if it is the same. */
  public List<String> differences(HostIdentity other) {
    List<String> found = new ArrayList<>();
    add(found, "host", name, other.name);
    add(found, "toolstack", toolstack, other.toolstack);
    add(found, Hypervisors.kind(toolstack).product(), version, other.version);
    add(found, "kernel", kernel, other.kernel);
    add(found, "scheduler", scheduler, other.scheduler);
    add(found, "pCPUs", pcpus, other.pcpus);
    Map<String, Integer> all = new LinkedHashMap<>(domains);
    all.putAll(other.domains);
    for (String domain : all.keySet()) {
      add(
          found,
          domain + "'s vCPUs",
          domains.getOrDefault(domain, 0),
          other.domains.getOrDefault(domain, 0));
    }
    return List.copyOf(found);
  }

  private static void add(List<String> found, String what, Object here, Object there) {
    if (!Objects.equals(here, there)) {
      found.add(what + " " + here + " / " + there);
    }
  }
}
