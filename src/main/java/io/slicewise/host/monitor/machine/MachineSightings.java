package io.slicewise.host.monitor.machine;

import io.slicewise.observe.DiskCounters;
import io.slicewise.observe.MachineCounters;
import io.slicewise.observe.MachineCounters.Tier;
import io.slicewise.observe.Observation.Location;
import io.slicewise.observe.Observation.Reading;
import io.slicewise.observe.Observation.Sighting;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The rows of machines and of their disks, from the growth of their counters. */
final class MachineSightings {
  private static final double MEGABYTE = 1e6;

  private MachineSightings() {}

  /** Returns a row for each machine that was measured. Shares are of the time of all its CPUs. */
  static List<Sighting> machines(Map<String, MachineCounters> machines) {
    List<Sighting> rows = new ArrayList<>();
    machines.forEach(
        (name, counters) -> {
          if (counters.measured()) {
            rows.add(machine(name, counters));
          }
        });
    return rows;
  }

  private static Sighting machine(String name, MachineCounters counters) {
    double seconds = counters.seconds();
    return new Sighting(
        new Location(kind(counters.tier()), name, counters.cpus()),
        List.of(
            Reading.share("busy", counters.used()),
            Reading.share("system", counters.share(MachineCounters.SYSTEM)),
            Reading.share("stolen", counters.share(MachineCounters.STEAL)),
            Reading.share("waiting_for_disks", counters.share(MachineCounters.IOWAIT)),
            new Reading("faults", "1/s", counters.count(MachineCounters.FAULTS) / seconds),
            new Reading(
                "major_faults", "1/s", counters.count(MachineCounters.MAJOR_FAULTS) / seconds),
            new Reading("switches", "1/s", counters.count(MachineCounters.SWITCHES) / seconds),
            Reading.share(
                "stalled_by_disks",
                counters.counted().stalled().getOrDefault("io.some", Double.NaN) / seconds),
            Reading.share("probe", counters.timing().cpuSeconds() / seconds)),
        List.of(),
        "");
  }

  private static Location.Kind kind(Tier tier) {
    return switch (tier) {
      case BASE, HOST -> Location.Kind.HOST;
      case GUEST, DOM0, STORAGE -> Location.Kind.DOMAIN;
    };
  }

  /**
   * Returns a row for each disk, without the partitions of listed disks; then for each backend.
   *
   * @param chosen by machine, the disks to show; none for all
   */
  static List<Sighting> disks(
      Map<String, MachineCounters> machines, Map<String, List<String>> chosen) {
    List<Sighting> rows = new ArrayList<>();
    machines.forEach(
        (machine, counters) -> {
          List<String> wanted = chosen.getOrDefault(machine, List.of());
          counters
              .counted()
              .disks()
              .forEach(
                  (name, disk) -> {
                    if (wanted.isEmpty()
                        ? !isPartition(name, counters.counted().disks().keySet())
                        : wanted.contains(name)) {
                      rows.add(disk(machine, name, disk, counters));
                    }
                  });
          counters
              .counted()
              .backends()
              .forEach((name, disk) -> rows.add(disk(machine, name, disk, counters)));
        });
    return rows;
  }

  /** Whether a device is a partition of another: {@code sda1} of sda, {@code nvme0n1p1}. */
  static boolean isPartition(String name, Set<String> devices) {
    String parent = name.replaceFirst("\\d+$", "");
    return !parent.equals(name)
        && (devices.contains(parent)
            || (parent.endsWith("p")
                && devices.contains(parent.substring(0, parent.length() - 1))));
  }

  private static Sighting disk(
      String machine, String name, DiskCounters disk, MachineCounters counters) {
    double seconds = counters.seconds();
    double millis = disk.value(DiskCounters.READ_MILLIS) + disk.value(DiskCounters.WRITE_MILLIS);
    return new Sighting(
        new Location(kind(counters.tier()), machine + "/" + name, 0),
        List.of(
            new Reading("reads", "1/s", disk.value(DiskCounters.READS) / seconds),
            new Reading("read", "MB/s", disk.bytesRead() / MEGABYTE / seconds),
            new Reading("read_wait", "ms", disk.readWaitMillis()),
            new Reading("writes", "1/s", disk.value(DiskCounters.WRITES) / seconds),
            new Reading("written", "MB/s", disk.bytesWritten() / MEGABYTE / seconds),
            new Reading("write_wait", "ms", disk.writeWaitMillis()),
            new Reading("flushes", "1/s", disk.value(DiskCounters.FLUSHES) / seconds),
            new Reading("in_flight", "", millis / 1000 / seconds),
            Reading.share(
                "busy", Math.min(1, disk.value(DiskCounters.BUSY_MILLIS) / 1000 / seconds))),
        List.of(),
        "");
  }
}
