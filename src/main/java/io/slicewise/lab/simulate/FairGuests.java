package io.slicewise.lab.simulate;

import io.slicewise.lab.sim.FairScheduler;
import io.slicewise.lab.sim.FairScheduler.Quota;
import io.slicewise.lab.sim.Machine;
import io.slicewise.profile.Cfs;
import io.slicewise.profile.Pinning;
import io.slicewise.profile.SchedulerParameters;
import io.slicewise.profile.TimeLimit;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** Guests of libvirt on a simulated Linux host: each has an emulator beside its vCPUs. */
record FairGuests(Machine machine, HostModel host) {
  /** Sets a guest's shares, quotas and pinning. */
  void set(int domid, SchedulerParameters parameters) {
    List<SchedulerParameters> each = parameters.each();
    machine.fair().setWeight(domid, weight(each.get(0)));
    machine.fair().setQuota(domid, quota(each.get(0), Cfs.GLOBAL_QUOTA.key()));
    machine
        .fair()
        .setQuota(FairScheduler.emulator(domid), 0, quota(each.get(0), Cfs.EMULATOR_QUOTA.key()));
    int vcpus = machine.vcpus(domid).size();
    for (int vcpu = 0; vcpu < vcpus; vcpu++) {
      SchedulerParameters one = each.get(Math.min(vcpu, each.size() - 1));
      machine.fair().setQuota(domid, vcpu, quota(one, Cfs.VCPU_QUOTA.key()));
      if (!Cfs.leavesPinning(one)) {
        pin(domid, vcpu, Pinning.each(one.get(Cfs.PINNING), vcpus).get(vcpu));
      }
    }
  }

  /** Converts shares to the machine's units, in which a guest that nobody changed has 1024. */
  private double weight(SchedulerParameters parameters) {
    double unchanged = FairScheduler.DEFAULT_WEIGHT;
    return Cfs.hasDefaultShares(parameters)
        ? unchanged
        : parameters.get(Cfs.SHARES) * unchanged / host.defaultShares();
  }

  private static Optional<Quota> quota(SchedulerParameters parameters, String key) {
    return Cfs.LIMITS.stream()
        .filter(limit -> limit.quota().key().equals(key) && limit.limits(parameters))
        .map(limit -> quota(parameters, limit))
        .findFirst();
  }

  private static Quota quota(SchedulerParameters parameters, TimeLimit limit) {
    return new Quota(micros(parameters.get(limit.quota())), micros(parameters.get(limit.period())));
  }

  private static long micros(Duration time) {
    return time.toNanos() / 1_000;
  }

  /** Pins to those of the pCPUs that the model has. */
  private void pin(int domid, int vcpu, String pcpus) {
    Set<Integer> there =
        Pinning.cpus(pcpus).stream()
            .filter(pcpu -> pcpu < host.pcpus())
            .boxed()
            .collect(Collectors.toSet());
    if (!there.isEmpty()) {
      machine.pin(domid, vcpu, there);
    }
  }
}
