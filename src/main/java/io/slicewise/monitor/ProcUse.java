package io.slicewise.monitor;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * What a machine did between two {@link ProcSnapshot}s. A counter that went back (a reboot, a
 * device replaced) or is missing gives no entry: it was not measured.
 *
 * @param seconds between the snapshots
 * @param cpuShares share of all CPU time by state, 0..1; they add up to 1
 * @param eventsPerSecond rates of {@code /proc/stat}'s counters
 * @param memoryPerSecond rates of {@code /proc/vmstat}'s counters, in its own units a second;
 *     levels ({@code nr_…}) are left out
 * @param disks by device; devices that did nothing are left out
 */
public record ProcUse(
    double seconds,
    Map<String, Double> cpuShares,
    Map<String, Double> eventsPerSecond,
    Map<String, Double> memoryPerSecond,
    Map<String, DiskUse> disks) {
  private static final double SECTOR_BYTES = 512;

  public ProcUse {
    cpuShares = Map.copyOf(cpuShares);
    eventsPerSecond = Map.copyOf(eventsPerSecond);
    memoryPerSecond = Map.copyOf(memoryPerSecond);
    disks = Map.copyOf(disks);
  }

  /**
   * Rates of one block device.
   *
   * @param busyShare share of the time with at least one request under way, 0..1
   */
  public record DiskUse(
      double readsPerSecond,
      double writesPerSecond,
      double readBytesPerSecond,
      double writtenBytesPerSecond,
      double busyShare) {}

  /** The use between two snapshots of the same machine, the earlier one first. */
  public static ProcUse between(ProcSnapshot first, ProcSnapshot last) {
    double seconds = Duration.between(first.at(), last.at()).toNanos() / 1e9;
    if (seconds <= 0) {
      throw new IllegalArgumentException(
          "the snapshot of " + last.at() + " is not later than that of " + first.at());
    }
    Map<String, Double> memory = rates(first.memory(), last.memory(), seconds);
    memory.keySet().removeIf(name -> name.startsWith("nr_"));
    return new ProcUse(
        seconds,
        shares(rates(first.cpuTicks(), last.cpuTicks(), 1)),
        rates(first.events(), last.events(), seconds),
        memory,
        disks(first, last, seconds));
  }

  private static Map<String, Double> rates(
      Map<String, Long> first, Map<String, Long> last, double seconds) {
    Map<String, Double> rates = new HashMap<>();
    last.forEach(
        (name, after) -> {
          Long before = first.get(name);
          if (before != null && after >= before) {
            rates.put(name, (after - before) / seconds);
          }
        });
    return rates;
  }

  /**
   * Idle and iowait may go back by a tick on real kernels; the others then still share the time.
   */
  private static Map<String, Double> shares(Map<String, Double> ticks) {
    double total = ticks.values().stream().mapToDouble(Double::doubleValue).sum();
    Map<String, Double> shares = new HashMap<>();
    if (total > 0) {
      ticks.forEach((state, spent) -> shares.put(state, spent / total));
    }
    return shares;
  }

  private static Map<String, DiskUse> disks(ProcSnapshot first, ProcSnapshot last, double seconds) {
    Map<String, DiskUse> disks = new HashMap<>();
    last.disks()
        .forEach(
            (name, after) ->
                Optional.ofNullable(first.disks().get(name))
                    .filter(before -> grew(before, after))
                    .ifPresent(before -> disks.put(name, use(before, after, seconds))));
    return disks;
  }

  private static boolean grew(ProcSnapshot.Disk before, ProcSnapshot.Disk after) {
    return after.reads() >= before.reads()
        && after.writes() >= before.writes()
        && after.sectorsRead() >= before.sectorsRead()
        && after.sectorsWritten() >= before.sectorsWritten()
        && after.busyMillis() >= before.busyMillis()
        && !after.equals(before);
  }

  private static DiskUse use(ProcSnapshot.Disk before, ProcSnapshot.Disk after, double seconds) {
    return new DiskUse(
        (after.reads() - before.reads()) / seconds,
        (after.writes() - before.writes()) / seconds,
        (after.sectorsRead() - before.sectorsRead()) * SECTOR_BYTES / seconds,
        (after.sectorsWritten() - before.sectorsWritten()) * SECTOR_BYTES / seconds,
        Math.min(1, (after.busyMillis() - before.busyMillis()) / 1000.0 / seconds));
  }
}
