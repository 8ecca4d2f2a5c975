package io.slicewise.lab.simulate;

import io.slicewise.host.HypervisorVersion;
import io.slicewise.host.libvirt.Libvirt;
import io.slicewise.host.xen.XenSchedulers;
import io.slicewise.profile.Scheduler;
import io.slicewise.profile.SchedulerParameters;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The simulated host.
 *
 * @param version of Xen, which determines the behaviour of each scheduler: one that it lacks
 *     behaves as in the nearest version that has it; or of libvirt, with that of control groups
 * @param boot the scheduler of profiles without one; empty for the version's default
 * @param vcpus by domain, Domain-0 of Xen first; all of them share one pool of all pCPUs
 * @param burning domains whose vCPUs compute endlessly
 * @param found parameters of domains that a profile does not change; others have the defaults
 * @param source the source of this information, as a phrase
 */
public record HostModel(
    HypervisorVersion version,
    int pcpus,
    Optional<Scheduler> boot,
    Map<String, Integer> vcpus,
    Set<String> burning,
    Map<String, SchedulerParameters> found,
    String source) {
  public static final String DOM0 = "Domain-0";

  public HostModel {
    vcpus = Collections.unmodifiableMap(new LinkedHashMap<>(vcpus));
    burning = Set.copyOf(burning);
    found = Map.copyOf(found);
  }

  /** The scheduler of a profile without one. */
  Scheduler bootScheduler() {
    return boot.orElseGet(() -> XenSchedulers.bootDefault(version));
  }

  /** Whether guests are processes of a Linux host; otherwise the host runs Xen. */
  boolean isLinux() {
    return boot.filter(Scheduler.CFS::equals).isPresent();
  }

  /** Returns the weight of a guest of Linux whose shares nobody changed. */
  int defaultShares() {
    return Libvirt.defaultShares(version);
  }

  /** {@code Xen 4.17}, {@code libvirt 9.0}. */
  String hypervisor() {
    return "%s %d.%d".formatted(isLinux() ? "libvirt" : "Xen", version.major(), version.minor());
  }
}
