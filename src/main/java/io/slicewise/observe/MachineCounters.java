package io.slicewise.observe;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;

/**
 * The growth of the counters of one machine's kernel between its readings at the two ends of a
 * window. A counter that its kernel does not have, or that was reset, is missing.
 *
 * @param cpus as its kernel lists them; 0 if unknown
 * @param seconds between the readings, by the machine's own clock; 0 if it has no two readings
 * @param missing files that could not be read
 * @param rebooted whether the machine started anew between the readings
 */
public record MachineCounters(
    Tier tier,
    int cpus,
    double seconds,
    @JsonUnwrapped Counted counted,
    ProbeTiming timing,
    List<String> missing,
    boolean rebooted) {
  public static final String USER = "user";
  public static final String SYSTEM = "system";
  public static final String IDLE = "idle";
  public static final String IOWAIT = "iowait";
  public static final String STEAL = "steal";
  public static final String FAULTS = "pgfault";
  public static final String MAJOR_FAULTS = "pgmajfault";
  public static final String SWITCHES = "ctxt";

  /** Devices that lie on others, or are no disks. */
  private static final Pattern LAYERS = Pattern.compile("(dm-|md|loop|ram|zram|sr|fd|nbd|drbd).*");

  private static final Set<String> BUSY = Set.of(USER, "nice", SYSTEM, "irq", "softirq");

  public MachineCounters {
    missing = List.copyOf(missing);
  }

  /** Returns a machine that was read only once, or not at all. */
  public static MachineCounters unread(Tier tier) {
    return unmeasured(tier, 0, ProbeTiming.UNKNOWN, List.of(), false);
  }

  /** Returns a machine without two readings that can be compared. */
  public static MachineCounters unmeasured(
      Tier tier, int cpus, ProbeTiming timing, List<String> missing, boolean rebooted) {
    return new MachineCounters(tier, cpus, 0, Counted.NOTHING, timing, missing, rebooted);
  }

  /** Whether there are two readings without a restart between them. */
  public boolean measured() {
    return seconds > 0;
  }

  /** Returns seconds of all CPUs in a state; {@code NaN} if its kernel does not count it. */
  public double cpu(String state) {
    return counted.cpuSeconds.getOrDefault(state, Double.NaN);
  }

  /** Returns the seconds in which CPUs ran anything; {@code NaN} if not known. */
  public double busy() {
    return BUSY.stream()
        .filter(counted.cpuSeconds::containsKey)
        .mapToDouble(counted.cpuSeconds::get)
        .reduce(Double::sum)
        .orElse(Double.NaN);
  }

  /**
   * Returns the share of the CPUs' time in which they ran anything; {@code NaN} if not known. Of
   * Domain-0 it is what its idle and stolen times leave of its uptime: a kernel under Xen that
   * charges by ticks misses most of its short runs, while it counts these two exactly.
   */
  public double used() {
    double left = 1 - share(IDLE) - share(IOWAIT) - share(STEAL);
    return tier == Tier.DOM0 && !Double.isNaN(left) ? Math.max(0, left) : busy() / allCpuSeconds();
  }

  /**
   * Returns the share of the CPUs' time in a state, by the machine's uptime: the states of a kernel
   * that charges by ticks leave out some of the time in which a vCPU did not run.
   */
  public double share(String state) {
    return cpu(state) / (cpus * seconds);
  }

  /** Returns by how much that share may be wrong, because the readings themselves took time. */
  public double doubt(String state) {
    return timing.spread() > 0 ? share(state) * timing.spread() / seconds : 0;
  }

  /** Returns the time of all CPUs in all states. */
  public double allCpuSeconds() {
    return counted.cpuSeconds.values().stream().mapToDouble(Double::doubleValue).sum();
  }

  /**
   * Returns the disks that lie on no other: without partitions, and without devices that are made
   * of others, whose requests would be counted twice.
   */
  public List<DiskCounters> ownDisks() {
    return counted.disks.entrySet().stream()
        .filter(disk -> !LAYERS.matcher(disk.getKey()).matches())
        .filter(disk -> counted.disks.keySet().stream().noneMatch(of -> isPart(disk.getKey(), of)))
        .map(Map.Entry::getValue)
        .toList();
  }

  private static boolean isPart(String device, String of) {
    return !device.equals(of)
        && device.startsWith(of)
        && device.substring(of.length()).matches("p?[0-9]+");
  }

  /** Returns a counter's growth; {@code NaN} if it is not known. */
  public double count(String counter) {
    return counted.counts.getOrDefault(counter, Double.NaN);
  }

  /**
   * What its kernel counted.
   *
   * @param cpuSeconds time of all CPUs by the states of proc(5): user, nice, system, idle, iowait,
   *     irq, softirq, steal
   * @param counts by the names of the kernel: {@code ctxt}, {@code processes}, {@code pgfault},
   *     {@code pgmajfault}, {@code pgpgin} and the like
   * @param stalled seconds of pressure, such as {@code io.some} and {@code cpu.full}
   * @param levels at the later end: {@code load_average}, {@code MemTotal} and the like, in bytes
   * @param service growth of the counters of the service's control group, by file and name, such as
   *     {@code cpu.user_usec}
   * @param disks of the machine, by device, partitions included
   * @param backends disks that the machine serves to guests, by directory, such as {@code
   *     vbd-3-51712}
   */
  public record Counted(
      Map<String, Double> cpuSeconds,
      Map<String, Double> counts,
      Map<String, Double> stalled,
      Map<String, Double> levels,
      Map<String, Double> service,
      Map<String, DiskCounters> disks,
      Map<String, DiskCounters> backends) {
    static final Counted NOTHING =
        new Counted(Map.of(), Map.of(), Map.of(), Map.of(), Map.of(), Map.of(), Map.of());

    public Counted {
      cpuSeconds = sorted(cpuSeconds);
      counts = sorted(counts);
      stalled = sorted(stalled);
      levels = sorted(levels);
      service = sorted(service);
      disks = sorted(disks);
      backends = sorted(backends);
    }

    private static <V> Map<String, V> sorted(Map<String, V> map) {
      return Collections.unmodifiableMap(new TreeMap<>(map));
    }
  }

  /**
   * The times of a machine's two readings. Every number is {@code NaN} if it is not known.
   *
   * @param offset the machine's uptime minus the monotonic time of this program, in seconds
   * @param doubt the offset is correct to within so many seconds
   * @param drift seconds per second by which the machine's clock is faster than this program's
   * @param roundTrip the shortest time from asking to the end of the answer, in seconds
   * @param apart the larger distance, of both ends, from the first machine that was read, in
   *     seconds
   * @param cpuSeconds CPU time of the probe itself
   * @param spread the time between the readings is correct to within so many seconds, because each
   *     took time in which a vCPU may have waited
   */
  public record ProbeTiming(
      double offset,
      double doubt,
      double drift,
      double roundTrip,
      double apart,
      double cpuSeconds,
      double spread) {
    /** Nothing is known. */
    public static final ProbeTiming UNKNOWN =
        new ProbeTiming(
            Double.NaN, Double.NaN, Double.NaN, Double.NaN, Double.NaN, Double.NaN, Double.NaN);
  }

  /** The place of a machine's kernel between the hardware and the workload. */
  public enum Tier {
    /** A machine without a hypervisor. */
    BASE,
    /** A host whose own kernel is the hypervisor. */
    HOST,
    GUEST,
    /** The control domain. */
    DOM0,
    /** A domain other than the control domain that serves disks. */
    STORAGE
  }
}
