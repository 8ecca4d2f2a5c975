package io.slicewise.evidence.study;

import io.slicewise.observe.DiskCounters;
import io.slicewise.observe.MachineCounters;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.TreeMap;

/** The counters of a machine's kernel as the metrics of a study. */
final class MachineCells {
  private static final double SECTOR = 512;
  private static final double MEBIBYTE = 1024.0 * 1024;

  private MachineCells() {}

  static double sum(Collection<DiskCounters> disks, String counter) {
    return disks.isEmpty()
        ? Double.NaN
        : disks.stream().mapToDouble(disk -> disk.value(counter)).sum();
  }

  /** The bytes that some disks moved in both directions; {@code NaN} if there is no disk. */
  static double bytes(Collection<DiskCounters> disks) {
    return SECTOR
        * (sum(disks, DiskCounters.SECTORS_READ) + sum(disks, DiskCounters.SECTORS_WRITTEN));
  }

  /** What an interference study needs of a guest, or of the domain with its disks. */
  static Map<String, Double> io(MachineCounters machine) {
    List<DiskCounters> disks = machine.ownDisks();
    Map<String, Double> values = new TreeMap<>();
    values.put("r_total", sum(disks, DiskCounters.READS));
    values.put("r_ms", sum(disks, DiskCounters.READ_MILLIS) / 1e3);
    values.put("r_sectors", sum(disks, DiskCounters.SECTORS_READ));
    values.put("reads_per_s", sum(disks, DiskCounters.READS) / machine.seconds());
    values.put("w_total", sum(disks, DiskCounters.WRITES));
    values.put("w_ms", sum(disks, DiskCounters.WRITE_MILLIS) / 1e3);
    values.put("f_total", sum(disks, DiskCounters.FLUSHES));
    values.put("f_ms", sum(disks, DiskCounters.FLUSH_MILLIS) / 1e3);
    values.put("steal_share", machine.share(MachineCounters.STEAL));
    values.values().removeIf(value -> value.isNaN());
    return values;
  }

  /** What an overhead study needs of a machine, per execution. */
  static Map<String, Double> use(MachineCounters machine, double executions) {
    Map<String, Double> values = new TreeMap<>();
    values.put("user", sum(machine, MachineCounters.USER, "nice"));
    values.put("sys", sum(machine, MachineCounters.SYSTEM, "irq", "softirq"));
    values.put("iowait", machine.cpu(MachineCounters.IOWAIT));
    values.put("steal", machine.cpu(MachineCounters.STEAL));
    values.put(PageFaults.FAULTS, machine.count(MachineCounters.FAULTS));
    values.put("major_faults", machine.count(MachineCounters.MAJOR_FAULTS));
    values.put("disk_read", SECTOR * sum(machine.ownDisks(), DiskCounters.SECTORS_READ) / MEBIBYTE);
    values.replaceAll((metric, value) -> value / executions);
    values.values().removeIf(value -> value.isNaN());
    return values;
  }

  /** Kernels that do not count one of the states have it in another. */
  private static double sum(MachineCounters machine, String state, String... more) {
    double sum = machine.cpu(state);
    for (String other : more) {
      sum += machine.counted().cpuSeconds().getOrDefault(other, 0.0);
    }
    return sum;
  }

  /** The MB that the backends of one domain read, per execution; {@code NaN} if unknown. */
  static double served(
      MachineCounters control, String guest, OptionalInt domid, double executions) {
    List<DiskCounters> own =
        control.counted().backends().entrySet().stream()
            .filter(backend -> isOf(backend.getKey(), guest, domid))
            .map(Map.Entry::getValue)
            .toList();
    return SECTOR * sum(own, DiskCounters.SECTORS_READ) / MEBIBYTE / executions;
  }

  /**
   * Whether a backend, such as {@code db/xvda}, or {@code vbd-3-51712} if its guest's name was not
   * known, serves that domain.
   */
  static boolean isOf(String backend, String guest, OptionalInt domid) {
    return backend.startsWith(guest + "/")
        || (domid.isPresent() && backend.matches("[a-z0-9]+-" + domid.getAsInt() + "-.*"));
  }
}
