package io.slicewise.host.xen;

import io.slicewise.host.Domain;
import io.slicewise.host.HypervisorException;
import io.slicewise.host.Target;
import io.slicewise.profile.PoolWide;
import io.slicewise.profile.SchedulerParameters;
import io.slicewise.profile.SettingFaults;

/**
 * Checks the ranges of all toolstacks before any command is sent: the tools do not check numbers
 * ({@code -w 256x} sets 256, {@code -c abc} removes the cap).
 */
final class SettingRanges {
  private SettingRanges() {}

  /** Rejects settings that no host accepts for this domain. */
  static void check(Domain domain, SchedulerParameters wanted) {
    SettingFaults.first(wanted, domain.vcpus())
        .ifPresent(
            fault -> {
              throw refusal(domain, fault.what(), fault.rule());
            });
  }

  /** Rejects settings that no cpupool accepts. */
  static void check(Target pool, SchedulerParameters wanted) {
    SettingFaults.first(wanted, 1)
        .map(fault -> fault.what() + " of " + pool.name() + " " + fault.rule())
        .or(() -> PoolWide.fault(wanted).map(fault -> fault + " of " + pool.name()))
        .ifPresent(
            fault -> {
              throw new HypervisorException(fault + ".", "Fix the profile.");
            });
  }

  /** Returns whether a domain has no slice of its own and gets only what others do not use. */
  static boolean isBestEffort(SchedulerParameters parameters) {
    return parameters.scheduler().share().filter(time -> time.isBestEffort(parameters)).isPresent();
  }

  static HypervisorException refusal(Target domain, String what, String rule) {
    return new HypervisorException(
        what + " of " + domain.name() + " " + rule + ".", "Fix the profile.");
  }
}
