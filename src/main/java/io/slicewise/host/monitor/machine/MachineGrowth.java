package io.slicewise.host.monitor.machine;

import io.slicewise.host.monitor.machine.MachineReading.Counters;
import io.slicewise.observe.DiskCounters;
import io.slicewise.observe.MachineCounters;
import io.slicewise.observe.MachineCounters.Counted;
import io.slicewise.observe.MachineCounters.ProbeTiming;
import io.slicewise.observe.MachineCounters.Tier;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The growth of a machine's counters between two readings. What was reset, or is in only one of
 * them, is not measured and is named in a remark.
 */
final class MachineGrowth {
  /** Clock ticks per second of the times that the kernel reports to processes. */
  private static final double TICKS = 100;

  private static final double MICROS = 1e6;

  /** States that the kernel may correct by some ticks, also downwards. */
  private static final Set<String> CORRECTED = Set.of("idle", "iowait");

  private static final Set<String> MEMORY =
      Set.of("pgfault", "pgmajfault", "pgpgin", "pgpgout", "pswpin", "pswpout", "oom_kill");

  private final MachineReading before;
  private final MachineReading after;
  private final Counters from;
  private final Counters to;
  private final Map<Integer, String> domains;
  private final double seconds;
  private final Set<String> reset = new TreeSet<>();
  private final List<String> remarks = new ArrayList<>();

  /**
   * @param domains names of the guests by domid
   */
  MachineGrowth(MachineReading before, MachineReading after, Map<Integer, String> domains) {
    this.domains = domains;
    this.before = before;
    this.after = after;
    this.from = before.counters();
    this.to = after.counters();
    this.seconds = after.uptime().counted() - before.uptime().counted();
  }

  /** Returns what cannot be compared, in sentences without the machine's name. */
  List<String> remarks() {
    List<String> all = new ArrayList<>(remarks);
    if (!reset.isEmpty()) {
      all.add("went backwards, and is not measured: " + String.join(", ", reset));
    }
    Stream.of(before, after)
        .flatMap(reading -> reading.unreadable().stream())
        .findFirst()
        .ifPresent(line -> all.add("gave a line that is not understood: '%s'".formatted(line)));
    return all;
  }

  /** Whether the machine started anew between the readings. */
  boolean rebooted() {
    boolean otherBoot =
        !before.boot().isEmpty() && !after.boot().isEmpty() && !before.boot().equals(after.boot());
    return otherBoot || after.uptime().middle() < before.uptime().middle();
  }

  MachineCounters counters(Tier tier, ProbeTiming timing) {
    if (rebooted()) {
      remarks.add("rebooted between the two readings: nothing of it is measured");
      return MachineCounters.unmeasured(tier, after.cpus(), timing, missing(), true);
    }
    if (!(seconds > 0)) {
      remarks.add("has no uptime: nothing of it is measured");
      return MachineCounters.unmeasured(tier, after.cpus(), timing, missing(), false);
    }
    Map<String, Double> counts =
        new TreeMap<>(grown(from.kernel().events(), to.kernel().events(), 1));
    counts.putAll(grown(ofMemory(from.kernel()), ofMemory(to.kernel()), 1));
    counts.putAll(grown(from.network(), to.network(), 1));
    return new MachineCounters(
        tier,
        after.cpus(),
        seconds,
        new Counted(
            cpuSeconds(),
            counts,
            grown(from.stalled(), to.stalled(), MICROS),
            after.levels(),
            grown(from.service(), to.service(), 1),
            disks(),
            backends()),
        timing,
        missing(),
        false);
  }

  /** Returns the files of which neither reading has a line. */
  private List<String> missing() {
    return ProbeCommand.FILES.stream()
        .filter(file -> !before.files().contains(file) && !after.files().contains(file))
        .toList();
  }

  private Map<String, Double> cpuSeconds() {
    if (before.cpus() != after.cpus()) {
      remarks.add(
          "had %d CPUs at the beginning and %d at the end: their time is not measured"
              .formatted(before.cpus(), after.cpus()));
      return Map.of();
    }
    Map<String, Double> spent = new HashMap<>();
    from.kernel()
        .cpuTicks()
        .forEach(
            (state, earlier) -> {
              long grown = to.kernel().cpuTicks().getOrDefault(state, -1L) - earlier;
              if (grown >= 0 || CORRECTED.contains(state)) {
                spent.put(state, Math.max(0, grown) / TICKS);
              } else {
                reset.add(state + " time");
              }
            });
    return spent;
  }

  private static Map<String, Long> ofMemory(ProcSnapshot kernel) {
    Map<String, Long> kept = new HashMap<>(kernel.memory());
    kept.keySet()
        .removeIf(
            name ->
                !MEMORY.contains(name)
                    && !name.startsWith("pgscan")
                    && !name.startsWith("pgsteal"));
    return kept;
  }

  private Map<String, Double> grown(Map<String, Long> from, Map<String, Long> to, double unit) {
    Map<String, Double> grown = new TreeMap<>();
    to.forEach(
        (name, now) -> {
          Optional<Long> earlier = Optional.ofNullable(from.get(name));
          if (earlier.isPresent() && now >= earlier.get()) {
            grown.put(name, (now - earlier.get()) / unit);
          } else if (earlier.isPresent()) {
            reset.add(name);
          }
        });
    return grown;
  }

  private Map<String, DiskCounters> disks() {
    Map<String, ProcSnapshot.Disk> earlier = from.kernel().disks();
    Map<String, ProcSnapshot.Disk> now = to.kernel().disks();
    Set<String> inOne = new TreeSet<>(earlier.keySet());
    inOne.addAll(now.keySet());
    inOne.removeIf(name -> earlier.containsKey(name) && now.containsKey(name));
    if (!inOne.isEmpty()) {
      remarks.add(
          "has disks in only one reading, which are not measured: " + String.join(", ", inOne));
    }
    Map<String, DiskCounters> disks = new TreeMap<>();
    now.forEach(
        (name, disk) -> {
          boolean used = disk.counters().values().stream().anyMatch(count -> count > 0);
          if (used && earlier.containsKey(name)) {
            disks.put(name, disk(name, earlier.get(name), disk));
          }
        });
    return disks;
  }

  private DiskCounters disk(String name, ProcSnapshot.Disk from, ProcSnapshot.Disk to) {
    Map<String, Double> counts = new TreeMap<>();
    to.counters()
        .forEach(
            (field, now) -> {
              OptionalLong grown =
                  field.growth(from.counters().getOrDefault(field, now), now, seconds);
              if (grown.isPresent()) {
                counts.put(field.text(), (double) grown.getAsLong());
              } else {
                reset.add("%s of disk %s".formatted(field.text(), name));
              }
            });
    return new DiskCounters(counts);
  }

  private Map<String, DiskCounters> backends() {
    Map<String, DiskCounters> backends = new TreeMap<>();
    to.backends()
        .forEach(
            (name, counts) -> {
              Map<String, Long> earlier = from.backends().get(name);
              if (earlier == null) {
                remarks.add("has backend %s only at the end: it is not measured".formatted(name));
              } else {
                backends.put(Backends.name(name, domains), Backends.counters(earlier, counts));
              }
            });
    return backends;
  }

  /** The statistics of blkback, the kernel's backend of guests' disks. */
  static final class Backends {
    /** Its files under the names of a disk's counters; it counts no times and no merges. */
    private static final Map<String, String> NAMES =
        Map.of(
            "rd_req", DiskCounters.READS,
            "rd_sect", DiskCounters.SECTORS_READ,
            "wr_req", DiskCounters.WRITES,
            "wr_sect", DiskCounters.SECTORS_WRITTEN,
            "f_req", DiskCounters.FLUSHES,
            "ds_req", DiskCounters.DISCARDS);

    private static final Pattern DIRECTORY = Pattern.compile("vbd-(\\d{1,5})-(\\d{1,9})");
    private static final int EXTENDED = 1 << 28;
    private static final int XVD_MAJOR = 202;
    private static final int LETTERS = 26;

    private Backends() {}

    /**
     * Returns the guest and its disk, such as {@code db/xvda}, for a directory such as {@code
     * vbd-3-51712}; the directory itself if its guest is not known.
     */
    static String name(String directory, Map<Integer, String> domains) {
      Matcher parts = DIRECTORY.matcher(directory);
      if (!parts.matches()) {
        return directory;
      }
      String guest = domains.get(Integer.parseInt(parts.group(1)));
      return guest == null ? directory : guest + "/" + device(Integer.parseInt(parts.group(2)));
    }

    /**
     * Returns a guest's name for a virtual device number: {@code xvda} for 51712. Its upper bits
     * are the major number; the lower ones, the disk and its partition.
     */
    static String device(int number) {
      boolean extended = (number & EXTENDED) != 0;
      if (!extended && number >> 8 != XVD_MAJOR) {
        return Integer.toString(number);
      }
      int disk = extended ? (number & 0xfffff) >> 8 : (number & 0xff) >> 4;
      int partition = extended ? number & 0xff : number & 0xf;
      String letters =
          disk < LETTERS
              ? String.valueOf((char) ('a' + disk))
              : "" + (char) ('a' + disk / LETTERS - 1) + (char) ('a' + disk % LETTERS);
      return "xvd" + letters + (partition == 0 ? "" : partition);
    }

    /** Returns the growth of a backend's counters; those that went backwards are left out. */
    static DiskCounters counters(Map<String, Long> before, Map<String, Long> after) {
      Map<String, Double> counts = new TreeMap<>();
      after.forEach(
          (file, now) -> {
            Long earlier = before.get(file);
            if (NAMES.containsKey(file) && earlier != null && now >= earlier) {
              counts.put(NAMES.get(file), (double) (now - earlier));
            }
          });
      return new DiskCounters(counts);
    }
  }
}
