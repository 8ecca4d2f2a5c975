package io.slicewise.host.monitor;

import java.util.Map;

/**
 * What the control domain's own kernel counted in a trial's window. A share is of the time of all
 * its vCPUs, 0..1, and {@code NaN} where this kernel does not count it.
 *
 * @param seconds between the two readings, by the kernel's own clock
 * @param busy user, system and interrupts
 * @param stolen wanted to run and had no pCPU: what the hypervisor's monitors call waiting
 * @param waitingForDisks idle while a request to a disk was under way
 * @param loadAverage over one minute, the mean of both readings
 * @param disks by device, partitions and mapped devices included, so that they do not add up;
 *     devices that did nothing are left out
 */
public record Dom0Use(
    double seconds,
    double busy,
    double stolen,
    double waitingForDisks,
    double loadAverage,
    Map<String, ProcUse.DiskUse> disks) {
  public Dom0Use {
    disks = Map.copyOf(disks);
  }

  /**
   * Share of the time with a request under way, of the busiest device; NaN if none did anything.
   */
  public double busiestDisk() {
    return disks.values().stream()
        .mapToDouble(ProcUse.DiskUse::busyShare)
        .filter(Double::isFinite)
        .max()
        .orElse(Double.NaN);
  }

  static Dom0Use of(ProcUse use) {
    return new Dom0Use(
        use.seconds(),
        use.busy(),
        use.share("steal"),
        use.share("iowait"),
        use.loadAverage(),
        use.disks());
  }
}
