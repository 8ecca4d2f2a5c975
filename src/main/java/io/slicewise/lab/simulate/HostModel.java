package io.slicewise.lab.simulate;

import io.slicewise.host.HypervisorVersion;
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
 * @param xen determines the behaviour of each scheduler; one that this version lacks behaves as in
 *     the nearest version that has it
 * @param boot the scheduler of profiles without one; empty for the version's default
 * @param vcpus by domain, Domain-0 first; all of them share one pool of all pCPUs
 * @param burning domains whose vCPUs compute endlessly
 * @param found parameters of domains that a profile does not change; others have Xen's defaults
 * @param source the source of this information, as a phrase
 */
public record HostModel(
    HypervisorVersion xen,
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
    return boot.orElseGet(() -> XenSchedulers.bootDefault(xen));
  }
}
