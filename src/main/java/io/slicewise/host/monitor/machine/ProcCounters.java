package io.slicewise.host.monitor.machine;

import java.time.Instant;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Reads one snapshot of the kernel's counters, line by line. */
public final class ProcCounters {
  private static final List<String> CPU_STATES =
      List.of("user", "nice", "system", "idle", "iowait", "irq", "softirq", "steal");
  private static final int OLD_PARTITION_FIELDS = 7;
  private static final int FIELDS_OF_ALL_KERNELS = 14;
  private static final int LOAD_FIELDS = 5;
  private static final Set<String> OF_STAT =
      Set.of(
          "intr",
          "ctxt",
          "btime",
          "processes",
          "procs_running",
          "procs_blocked",
          "softirq",
          "page",
          "swap");

  /**
   * The fields of {@code /proc/stat} that are no counters: a date, which changes with the clock,
   * and levels.
   */
  private static final Set<String> NO_COUNTERS = Set.of("btime", "procs_running", "procs_blocked");

  private final Map<String, Long> cpuTicks = new HashMap<>();
  private final Map<String, Long> events = new HashMap<>();
  private final Map<String, Long> memory = new HashMap<>();
  private final Map<String, ProcSnapshot.Disk> disks = new HashMap<>();
  private double loadAverage = Double.NaN;
  private final Set<String> cpus = new HashSet<>();

  /** Returns the number of CPUs listed so far. */
  public int cpus() {
    return cpus.size();
  }

  /** Returns the time of all CPUs in all states. */
  public double ticks() {
    return cpuTicks.values().stream().mapToDouble(Long::doubleValue).sum();
  }

  /**
   * Adds a line of any of the four files, recognized by its format; returns false if this snapshot
   * already has it, so that it belongs to another one.
   *
   * @throws NumberFormatException if a field is not a valid number
   * @throws ArrayIndexOutOfBoundsException if fields are missing, or if the line belongs to none of
   *     the files
   */
  public boolean take(String[] fields) {
    String name = fields[0];
    boolean disk = fields.length >= OLD_PARTITION_FIELDS && Character.isDigit(name.charAt(0));
    if (cpus.contains(name)
        || events.containsKey(name)
        || memory.containsKey(name)
        || (disk && disks.containsKey(fields[2]))) {
      return false;
    }
    if (disk) {
      diskstats(fields);
    } else if (fields.length == LOAD_FIELDS && fields[3].indexOf('/') > 0) {
      loadavg(fields);
    } else if (name.startsWith("cpu") || OF_STAT.contains(name)) {
      stat(fields);
    } else if (fields.length == 2) {
      vmstat(fields);
    } else {
      throw new ArrayIndexOutOfBoundsException("not a line of a known /proc file");
    }
    return true;
  }

  public ProcSnapshot snapshot(Instant at) {
    return new ProcSnapshot(at, cpuTicks, events, memory, disks, loadAverage);
  }

  private void stat(String[] fields) {
    if (fields[0].equals("cpu")) {
      Map<String, Long> ticks = new HashMap<>();
      for (int i = 0; i < CPU_STATES.size() && i + 1 < fields.length; i++) {
        ticks.put(CPU_STATES.get(i), counter(fields[i + 1]));
      }
      cpuTicks.putAll(ticks);
    } else if (fields[0].startsWith("cpu")) {
      cpus.add(fields[0]);
    } else {
      // intr and softirq have one column per interrupt; the first is their sum.
      long count = counter(fields[1]);
      if (!NO_COUNTERS.contains(fields[0])) {
        events.put(fields[0], count);
      }
    }
  }

  private void vmstat(String[] fields) {
    long count = counter(fields[1]);
    if (!isLevel(fields[0])) {
      memory.put(fields[0], count);
    }
  }

  /** Levels rise and fall; {@code workingset_nodes} is the only one without their prefix. */
  private static boolean isLevel(String name) {
    return name.startsWith("nr_") || name.equals("workingset_nodes");
  }

  private void diskstats(String[] fields) {
    if (fields.length == OLD_PARTITION_FIELDS) {
      // Kernels before 2.6.25 print four numbers for a partition; its disk has all of them.
      return;
    }
    Map<DiskField, Long> counters = new EnumMap<>(DiskField.class);
    for (DiskField field : DiskField.values()) {
      if (field.column() < fields.length || field.column() < FIELDS_OF_ALL_KERNELS) {
        counters.put(field, counter(fields[field.column()]));
      }
    }
    disks.put(fields[2], new ProcSnapshot.Disk(counters));
  }

  private void loadavg(String[] fields) {
    double load = Double.parseDouble(fields[0]);
    if (!(load >= 0 && load < Double.POSITIVE_INFINITY)) {
      throw new NumberFormatException("a load average is never " + fields[0]);
    }
    loadAverage = load;
  }

  private static long counter(String text) {
    long count = Long.parseLong(text);
    if (count < 0) {
      throw new NumberFormatException("a counter is never " + text);
    }
    return count;
  }
}
