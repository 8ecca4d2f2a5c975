package io.slicewise.host.libvirt;

import io.slicewise.host.CgroupVersion;
import io.slicewise.host.HypervisorException;
import io.slicewise.profile.Cfs;
import io.slicewise.profile.SchedulerParameters;
import io.slicewise.profile.SettingFaults;
import io.slicewise.profile.TimeLimit;
import java.util.Set;

/** The limits of a host with that version of control groups, checked before any command is sent. */
record SettingLimits(CgroupVersion version) {

  /** Rejects settings that the host would not accept for a guest with these vCPUs. */
  void check(String guest, int vcpus, SchedulerParameters wanted) {
    check(guest, vcpus, wanted, SchedulerParameters.defaults(wanted.scheduler()));
  }

  /**
   * Rejects changes that the host would not accept. Values that are not changed need not keep the
   * rules: they are on the host.
   */
  void check(String guest, int vcpus, SchedulerParameters wanted, SchedulerParameters current) {
    Set<String> changed = wanted.changedFrom(current);
    SchedulerParameters defaults = SchedulerParameters.defaults(wanted.scheduler());
    for (SchedulerParameters each : wanted.each()) {
      SchedulerParameters one = each.isByVcpu() ? each : defaults.with(changed, each);
      SettingFaults.first(one, vcpus)
          .ifPresent(
              fault -> {
                throw refusal(guest, fault.what(), fault.rule());
              });
      checkShares(guest, one);
      checkHierarchy(guest, each);
    }
  }

  private void checkShares(String guest, SchedulerParameters wanted) {
    int shares = wanted.get(Cfs.SHARES);
    version
        .rangeFault(shares)
        .filter(fault -> !Cfs.hasDefaultShares(wanted))
        .ifPresent(
            fault -> {
              throw refusal(guest, "shares " + shares, fault);
            });
  }

  private void checkHierarchy(String guest, SchedulerParameters wanted) {
    TimeLimit all = Cfs.LIMITS.get(Cfs.LIMITS.size() - 1);
    double most = all.share(wanted).orElse(Double.POSITIVE_INFINITY);
    for (TimeLimit limit : Cfs.LIMITS) {
      if (version == CgroupVersion.V1 && limit.share(wanted).orElse(0) > most) {
        throw refusal(
            guest,
            limit.text(wanted),
            "is above its %s, which %s does not take".formatted(all.text(wanted), version));
      }
    }
  }

  private static HypervisorException refusal(String guest, String what, String rule) {
    return new HypervisorException(
        "%s of %s %s.".formatted(what, guest, rule), "Correct the profile.");
  }
}
