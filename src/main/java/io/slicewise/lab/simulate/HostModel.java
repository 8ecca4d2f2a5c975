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
 * The host that is simulated.
 *
 * @param xen decides how each scheduler behaves; one that this version lacks behaves as in the
 *     nearest that has it
 * @param boot the scheduler of profiles that name none; empty = the version's default
 * @param vcpus by domain, Domain-0 first; all of them share one pool of all pCPUs
 * @param burning domains whose vCPUs compute without end
 * @param found parameters of domains that a profile leaves as found; others have Xen's defaults
 * @param source where this is known from, as a phrase
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

  /** The scheduler of a profile that names none. */
  Scheduler bootScheduler() {
    return boot.orElseGet(() -> XenSchedulers.bootDefault(xen));
  }
}
