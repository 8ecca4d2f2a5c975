package io.slicewise.host.monitor.machine;

import java.time.Instant;
import java.util.Map;

/**
 * The kernel's counters of one machine at one instant. Counters grow from boot on; only differences
 * are meaningful, see {@link ProcUse}.
 *
 * @param at by the recording's clock, from the epoch or from boot on
 * @param cpuTicks time of all CPUs together by state, in clock ticks, under the names of proc(5):
 *     user, nice, system, idle, iowait, irq, softirq, steal; older kernels lack the last of them
 * @param events counters of {@code /proc/stat}: {@code ctxt}, {@code processes} and the like
 * @param memory counters of {@code /proc/vmstat}, in its own units (pages, events), without its
 *     levels
 * @param disks by device, partitions included
 * @param loadAverage over one minute; NaN if it could not be read
 */
public record ProcSnapshot(
    Instant at,
    Map<String, Long> cpuTicks,
    Map<String, Long> events,
    Map<String, Long> memory,
    Map<String, Disk> disks,
    double loadAverage) {
  public ProcSnapshot {
    cpuTicks = Map.copyOf(cpuTicks);
    events = Map.copyOf(events);
    memory = Map.copyOf(memory);
    disks = Map.copyOf(disks);
  }

  /**
   * The counters of one block device; older kernels lack the last of them. Sectors have 512 bytes,
   * whatever the device's own size.
   */
  record Disk(Map<DiskField, Long> counters) {
    Disk {
      counters = Map.copyOf(counters);
    }
  }
}
