package io.slicewise.host.monitor.machine;

import java.time.Duration;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The activity of a machine between {@link ProcSnapshot}s. A counter that went backwards (a reboot,
 * a wrap, a replaced device) or is missing is not measured there; one that was never measured has
 * no entry.
 *
 * @param seconds between snapshots
 * @param cpuShares share of all CPU time by state, 0..1, where it is known; they add up to 1 unless
 *     one went backwards for a part of the time
 * @param eventsPerSecond rates of {@code /proc/stat}'s counters
 * @param memoryPerSecond rates of {@code /proc/vmstat}'s counters, in its own units per second,
 *     without levels ({@code nr_…})
 * @param loadAverage mean over the snapshots; NaN if none has it
 * @param disks by device, without idle ones
 */
public record ProcUse(
    double seconds,
    Map<String, Double> cpuShares,
    Map<String, Double> eventsPerSecond,
    Map<String, Double> memoryPerSecond,
    double loadAverage,
    Map<String, DiskUse> disks) {
  private static final double SECTOR_BYTES = 512;
  private static final Set<String> BUSY = Set.of("user", "nice", "system", "irq", "softirq");

  public ProcUse {
    cpuShares = Map.copyOf(cpuShares);
    eventsPerSecond = Map.copyOf(eventsPerSecond);
    memoryPerSecond = Map.copyOf(memoryPerSecond);
    disks = Map.copyOf(disks);
  }

  /**
   * Rates of one block device, each NaN if it was not measured.
   *
   * @param busyShare share of the time with at least one outstanding request, 0..1
   */
  public record DiskUse(
      double readsPerSecond,
      double writesPerSecond,
      double readBytesPerSecond,
      double writtenBytesPerSecond,
      double busyShare) {}

  /** Share of all CPU time in a state of proc(5); NaN if this kernel does not count it. */
  public double share(String state) {
    return cpuShares.getOrDefault(state, Double.NaN);
  }

  /** Share of all CPU time that the machine ran; NaN if it is not known. */
  public double busy() {
    return BUSY.stream()
        .filter(cpuShares::containsKey)
        .mapToDouble(cpuShares::get)
        .reduce(Double::sum)
        .orElse(Double.NaN);
  }

  /**
   * Returns the use between snapshots of the same machine.
   *
   * @param stretches series of snapshots without a reboot
   * @throws IllegalArgumentException if they are not in chronological order
   */
  public static ProcUse over(List<List<ProcSnapshot>> stretches) {
    Increments<String> ticks = new Increments<>();
    Increments<String> events = new Increments<>();
    Increments<String> memory = new Increments<>();
    Increments<DiskCounter> disks = new Increments<>();
    double all = 0;
    for (List<ProcSnapshot> snapshots : stretches) {
      for (int i = 1; i < snapshots.size(); i++) {
        ProcSnapshot before = snapshots.get(i - 1);
        ProcSnapshot after = snapshots.get(i);
        double seconds = seconds(before, after);
        all += seconds;
        ticks.add(before.cpuTicks(), after.cpuTicks(), grown(before.cpuTicks(), after.cpuTicks()));
        events.add(before.events(), after.events(), seconds);
        memory.add(before.memory(), after.memory(), seconds);
        disks.add(counters(before), counters(after), seconds);
      }
    }
    double load =
        stretches.stream()
            .flatMap(List::stream)
            .mapToDouble(ProcSnapshot::loadAverage)
            .filter(Double::isFinite)
            .average()
            .orElse(Double.NaN);
    return new ProcUse(
        all, ticks.rates(), events.rates(), memory.rates(), load, disks(disks.rates()));
  }

  private static double seconds(ProcSnapshot before, ProcSnapshot after) {
    double seconds = Duration.between(before.at(), after.at()).toNanos() / 1e9;
    if (seconds <= 0) {
      throw new IllegalArgumentException(
          "the snapshot of " + after.at() + " is not later than that of " + before.at());
    }
    return seconds;
  }

  /**
   * Returns the CPU time between two snapshots. Idle and iowait may decrease by a tick on real
   * kernels, and stolen time when a guest moves; the other states then share the time.
   */
  private static double grown(Map<String, Long> before, Map<String, Long> after) {
    return after.entrySet().stream()
        .mapToLong(
            now -> Math.max(0, now.getValue() - before.getOrDefault(now.getKey(), now.getValue())))
        .sum();
  }

  /** One counter of one block device. */
  public record DiskCounter(String device, DiskField field) {}

  public static Map<DiskCounter, Long> counters(ProcSnapshot snapshot) {
    Map<DiskCounter, Long> counters = new HashMap<>();
    snapshot
        .disks()
        .forEach(
            (device, disk) -> {
              disk.counters()
                  .forEach((field, count) -> counters.put(new DiskCounter(device, field), count));
            });
    return counters;
  }

  private static Map<String, DiskUse> disks(Map<DiskCounter, Double> rates) {
    Map<String, DiskUse> disks = new HashMap<>();
    rates.keySet().stream()
        .map(DiskCounter::device)
        .distinct()
        .forEach(
            device -> {
              Map<DiskField, Double> its = new EnumMap<>(DiskField.class);
              for (DiskField field : DiskField.values()) {
                its.put(field, rates.getOrDefault(new DiskCounter(device, field), Double.NaN));
              }
              if (its.values().stream().anyMatch(rate -> rate > 0)) {
                disks.put(device, use(its));
              }
            });
    return disks;
  }

  private static DiskUse use(Map<DiskField, Double> rates) {
    return new DiskUse(
        rates.get(DiskField.READS),
        rates.get(DiskField.WRITES),
        rates.get(DiskField.SECTORS_READ) * SECTOR_BYTES,
        rates.get(DiskField.SECTORS_WRITTEN) * SECTOR_BYTES,
        Math.min(1, rates.get(DiskField.BUSY_MILLIS) / 1000));
  }

  /** The growth of counters between readings, and the time for which it is known. */
  private static final class Increments<K> {
    private record Grown(double by, double seconds) {}

    private final Map<K, Grown> grown = new HashMap<>();

    /**
     * Adds the growth between two readings; unknown for a counter that is missing in one or went
     * backwards.
     */
    void add(Map<K, Long> before, Map<K, Long> after, double seconds) {
      after.forEach(
          (name, now) -> {
            Long earlier = before.get(name);
            if (earlier != null && now >= earlier) {
              Grown so = grown.getOrDefault(name, new Grown(0, 0));
              grown.put(name, new Grown(so.by() + (now - earlier), so.seconds() + seconds));
            }
          });
    }

    /** The growth per unit of time. */
    Map<K, Double> rates() {
      Map<K, Double> rates = new HashMap<>();
      grown.forEach(
          (name, so) -> {
            if (so.seconds() > 0) {
              rates.put(name, so.by() / so.seconds());
            }
          });
      return rates;
    }
  }
}
