package io.slicewise.lab.host;

import io.slicewise.host.HypervisorVersion;
import io.slicewise.host.xen.XenSchedulers;
import io.slicewise.lab.host.Hypercalls.HypercallException;
import io.slicewise.lab.host.Hypercalls.PoolState.PoolParameters;
import io.slicewise.lab.sim.HypervisorRefusal;
import io.slicewise.lab.sim.SchedulerOptions;
import io.slicewise.lab.sim.SchedulerOptions.Credit;
import io.slicewise.lab.sim.SchedulerOptions.Credit2;
import io.slicewise.profile.Scheduler;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
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
      throw new HypercallException(HypervisorRefusal.Errno.EINVAL);
    }
    return SchedulerOptions.of(scheduler, version.major(), version.minor());
  }

  static PoolParameters parameters(SchedulerOptions options) {
    if (options instanceof Credit credit) {
      return new PoolParameters(
          (int) credit.timeslice().toMillis(),
          micros(credit.ratelimit()),
          micros(credit.migrationDelay()));
    }
    if (options instanceof Credit2 credit2) {
      return new PoolParameters(
          PoolParameters.DEFAULTS.tsliceMillis(), micros(credit2.ratelimit()), 0);
    }
    return PoolParameters.DEFAULTS;
  }

  static SchedulerOptions changed(SchedulerOptions options, PoolParameters parameters) {
    Duration ratelimit = Duration.of(parameters.ratelimitMicros(), ChronoUnit.MICROS);
    if (options instanceof Credit credit) {
      return new Credit(
          credit.generation(),
          Duration.ofMillis(parameters.tsliceMillis()),
          ratelimit,
          Duration.of(parameters.migrationDelayMicros(), ChronoUnit.MICROS));
    }
    if (options instanceof Credit2 credit2) {
      return new Credit2(ratelimit, credit2.longestSlice(), credit2.pcpusPerRunqueue());
    }
    return options;
  }

  private static int micros(Duration duration) {
    return (int) (duration.toNanos() / 1000);
  }
}
