package io.slicewise.lab.host;

import io.slicewise.host.HypervisorVersion;
import io.slicewise.host.xen.XenSchedulers;
import io.slicewise.lab.sim.HypervisorRefusal;
import io.slicewise.lab.sim.SchedulerOptions;
import io.slicewise.profile.Scheduler;
import java.util.Set;

/**
 * The schedulers built into a hypervisor, configured as its version does.
 *
 * @param version the version of the hypervisor
 * @param more schedulers that were built in although the version leaves them out by default: RTDS
 *     from 4.16 on, and null
 */
public record BuiltIn(HypervisorVersion version, Set<Scheduler> more) {
  public Set<Scheduler> schedulers() {
    Set<Scheduler> built = XenSchedulers.builtIn(version);
    XenSchedulers.possible(version).stream().filter(more::contains).forEach(built::add);
    return built;
  }

  /** Returns the scheduler used if the command line names none, or one that is not built in. */
  public Scheduler bootDefault() {
    return XenSchedulers.bootDefault(version);
  }

  /**
   * Returns this version's options of a scheduler; fails with {@code EINVAL} if it is not built in.
   */
  public SchedulerOptions options(Scheduler scheduler) {
    if (!schedulers().contains(scheduler)) {
      throw HypervisorRefusal.invalid(scheduler.xenName() + " is not built in");
    }
    return SchedulerOptions.of(scheduler, version.major(), version.minor());
  }
}
