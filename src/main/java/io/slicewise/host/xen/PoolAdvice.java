package io.slicewise.host.xen;

import io.slicewise.profile.Scheduler;

/** How guests come under a scheduler that their host was not booted with. */
public final class PoolAdvice {
  private PoolAdvice() {}

  /**
   * The commands of {@code xl} that do it without a reboot: credit and credit2 run beside each
   * other in two cpupools of one host.
   */
  public static String withoutReboot(Scheduler scheduler) {
    return "without a reboot, if Xen has %1$s built in: xl cpupool-cpu-remove Pool-0 CPU; xl cpupool-create 'name=\"%1$s\"' 'sched=\"%1$s\"' 'cpus=[\"CPU\"]'; xl cpupool-migrate GUEST %1$s"
        .formatted(scheduler.xenName());
  }
}
