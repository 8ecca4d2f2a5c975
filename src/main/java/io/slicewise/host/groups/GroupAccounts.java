package io.slicewise.host.groups;

import io.slicewise.host.CgroupVersion;
import io.slicewise.host.Domain;
import io.slicewise.host.groups.Inventory.Guest;
import io.slicewise.profile.Pinning;
import io.slicewise.ssh.Command;
import io.slicewise.ssh.CommandResult;
import io.slicewise.ssh.RemoteShell;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What the kernel counts of guests' groups and of their tasks. One command reads the accounts of
 * all groups first, so that they are as close in time as possible, and then every task that there
 * is.
 */
public final class GroupAccounts {
  private static final String UPTIME = "/proc/uptime";
  private static final Pattern TASK = Pattern.compile("/proc/(\\d+)/schedstat:(\\d+) (\\d+) \\d+");
  private static final String BY_PCPU = "/cpuacct.usage_percpu";

  /** User, nice and system, and after idle and iowait those of interrupts. */
  private static final Pattern TICKS =
      Pattern.compile("(?m)^cpu(\\d+) (\\d+) (\\d+) (\\d+) \\d+ \\d+ (\\d+) (\\d+)");

  private static final long NANOS_A_TICK = 10_000_000;
  private static final Pattern STALLED = Pattern.compile("(some|full) .*total=(\\d+)");

  private static final String SCRIPT =
      """
      grep -sH '' %1$s %2$s %1$s
      stat -c '%%n:%%i' %3$s
      find %3$s '(' -name tasks -o -name cgroup.threads ')' -exec grep -sH '' {} + 2>/dev/null |
      awk 'BEGIN {
        for (i = 1; i < ARGC; i++) groups[i] = ARGV[i]
        all = ARGC
        ARGC = 1
      }
      {
        task = $0
        sub(/.*:/, "", task)
        for (i = 1; i < all; i++) if (index($0, groups[i] "/") == 1 && groups[i] != group) {
          group = groups[i]
          print "@ " group
        }
        file = "/proc/" task "/schedstat"
        if ((getline times < file) > 0) print file ":" times
        close(file)
      }' %3$s
      true\
      """;

  private final CgroupVersion version;
  private final Map<String, Files> guests;

  /** The file with the CPU time that all tasks of the host used, by pCPU. */
  private final String host;

  /**
   * The files of one guest.
   *
   * @param directory of its group
   * @param inode of that directory
   * @param account directory with the CPU time that it used
   * @param pcpus those that the group above may use
   * @param bounded whether a group above or inside has a quota
   */
  private record Files(
      String directory, String inode, String account, BitSet pcpus, boolean bounded) {
    Stream<String> counted(CgroupVersion version) {
      return version == CgroupVersion.V1
          ? Stream.of(usage(version), account + BY_PCPU, directory + "/cpu.stat")
          : Stream.of(usage(version), cpus(), directory + "/cpu.pressure");
    }

    String usage(CgroupVersion version) {
      return account + (version == CgroupVersion.V1 ? "/cpuacct.usage" : "/cpu.stat");
    }

    /** The file with the pCPUs that its tasks may use, where it has a cpuset of its own. */
    String cpus() {
      return directory + "/" + CgroupVersion.V2.effectiveCpusFile();
    }
  }

  private GroupAccounts(Trees trees, Map<String, Files> guests) {
    this.version = trees.version();
    this.guests = guests;
    this.host =
        version == CgroupVersion.V1 ? trees.usage().orElse(trees.cpu()) + BY_PCPU : "/proc/stat";
  }

  /** Finds the groups of these guests; a guest whose group is not found is absent. */
  public static GroupAccounts of(RemoteShell shell, List<Domain> domains) {
    CommandResult mounts = shell.run(Trees.READING);
    Trees trees = Trees.of(shell.address(), mounts.standardOutput());
    Inventory.Listed now = new Inventory(shell, trees).read();
    List<Guest> guests =
        domains.stream()
            .map(
                domain ->
                    Optional.ofNullable(now.guest(domain.name()))
                        .filter(guest -> domain.isSame(guest.domain())))
            .flatMap(Optional::stream)
            .toList();
    return of(now.snapshot(), guests);
  }

  /** Returns the accounts of guests in a snapshot. */
  static GroupAccounts of(Snapshot snapshot, List<Guest> guests) {
    Map<String, Files> files = new LinkedHashMap<>();
    guests.forEach(guest -> files.put(guest.name(), files(guest, snapshot)));
    return new GroupAccounts(snapshot.trees(), files);
  }

  private static Files files(Guest guest, Snapshot snapshot) {
    Trees trees = snapshot.trees();
    return new Files(
        trees.cpu() + guest.path(),
        guest.inode(),
        trees.usage().orElse(trees.cpu()) + guest.path(),
        snapshot.pcpusOf(guest.domain().cpupool()),
        new Limits(snapshot).isBoundedByOthers(guest));
  }

  /** Returns the command that reads everything at once. */
  public Command reading() {
    if (guests.isEmpty()) {
      return Command.reading("cat", UPTIME, UPTIME);
    }
    String counted =
        Stream.concat(
                Stream.of(host), guests.values().stream().flatMap(files -> files.counted(version)))
            .map(Changing::quoted)
            .collect(Collectors.joining(" "));
    String directories =
        guests.values().stream()
            .map(Files::directory)
            .map(Changing::quoted)
            .collect(Collectors.joining(" "));
    return Command.reading("sh", "-c", SCRIPT.formatted(UPTIME, counted, directories));
  }

  /**
   * The accounts of a guest's group up to a moment, in nanoseconds.
   *
   * @param used CPU time of all tasks that it ever had
   * @param throttled by its own quota, on every pCPU
   * @param some time in which some task waited for a pCPU, by the kernel's pressure accounts
   * @param full time in which tasks waited and none ran
   * @param tasks those that exist, by their numbers
   * @param bounded whether a group above or inside has a quota, whose throttling is not counted
   */
  public record Account(
      long used,
      long throttled,
      Optional<Long> some,
      Optional<Long> full,
      Map<Integer, TaskTimes> tasks,
      Pcpus pcpus,
      boolean bounded) {
    /**
     * Returns the CPU time that it used on some pCPUs since an earlier account; empty if that is
     * not known, because its tasks may also use others and are not counted by pCPU.
     */
    public Optional<Long> usedOn(BitSet some, Account earlier) {
      if (!pcpus.used().isEmpty()) {
        return Optional.of(GroupAccounts.used(some, earlier.pcpus.used(), pcpus.used()));
      }
      BitSet elsewhere = (BitSet) pcpus.may().clone();
      elsewhere.andNot(some);
      if (elsewhere.isEmpty()) {
        return Optional.of(used - earlier.used);
      }
      return pcpus.may().intersects(some) ? Optional.empty() : Optional.of(0L);
    }
  }

  /**
   * Where a guest runs.
   *
   * @param own those of its vCPUs, which the group above may use
   * @param may those that its tasks may use
   * @param used its CPU time by pCPU in nanoseconds; empty where the kernel does not count it
   */
  public record Pcpus(BitSet own, BitSet may, Map<Integer, Long> used) {}

  /**
   * The times of one task up to a moment, in nanoseconds.
   *
   * @param run on a pCPU
   * @param ready runnable but not running, including throttled time
   */
  public record TaskTimes(long run, long ready) {}

  /**
   * One reading.
   *
   * @param seconds since the host's boot, in the middle of the groups' accounts
   * @param guests by name; absent if the group was removed or made anew
   * @param used CPU time of all tasks by pCPU, in nanoseconds; empty if it was not read
   */
  public record Reading(double seconds, Map<String, Account> guests, Map<Integer, Long> used) {
    /** Returns the CPU time that tasks used on some pCPUs since an earlier reading. */
    public Optional<Long> usedOn(BitSet pcpus, Reading earlier) {
      return Optional.of(GroupAccounts.used(pcpus, earlier.used, used))
          .filter(any -> !used.isEmpty() && !earlier.used.isEmpty());
    }
  }

  private static long used(BitSet pcpus, Map<Integer, Long> before, Map<Integer, Long> after) {
    return pcpus.stream()
        .mapToLong(pcpu -> after.getOrDefault(pcpu, 0L) - before.getOrDefault(pcpu, 0L))
        .sum();
  }

  /** Parses the output of {@link #reading}; empty if it is unusable. */
  public Optional<Reading> parse(String printed) {
    List<Double> uptimes = new ArrayList<>();
    Map<String, String> contents = new HashMap<>();
    Map<String, Map<Integer, TaskTimes>> tasks = new HashMap<>();
    Map<Integer, TaskTimes> group = new HashMap<>();
    for (String line : printed.lines().toList()) {
      Matcher task = TASK.matcher(line);
      int colon = line.indexOf(':', line.lastIndexOf('/') + 1);
      if (line.startsWith("@ ")) {
        group = tasks.computeIfAbsent(line.substring(2), any -> new HashMap<>());
      } else if (task.matches()) {
        group.put(
            Integer.valueOf(task.group(1)),
            new TaskTimes(Long.parseLong(task.group(2)), Long.parseLong(task.group(3))));
      } else if (line.startsWith(UPTIME + ":")) {
        uptimes.add(Double.valueOf(line.substring(UPTIME.length() + 1).split(" ", -1)[0]));
      } else if (colon > 0) {
        contents.merge(
            line.substring(0, colon),
            line.substring(colon + 1),
            (before, next) -> before + "\n" + next);
      }
    }
    if (uptimes.size() < 2) {
      return Optional.empty();
    }
    Map<String, Account> read = new LinkedHashMap<>();
    guests.forEach(
        (name, files) ->
            account(files, contents, tasks).ifPresent(account -> read.put(name, account)));
    return Optional.of(
        new Reading(
            (uptimes.get(0) + uptimes.get(1)) / 2, read, byPcpu(contents.getOrDefault(host, ""))));
  }

  /** Reads the CPU time by pCPU: numbers in order, or the host's ticks without the idle ones. */
  private static Map<Integer, Long> byPcpu(String text) {
    Map<Integer, Long> used = new TreeMap<>();
    Matcher ticks = TICKS.matcher(text);
    while (ticks.find()) {
      long busy =
          Stream.of(2, 3, 4, 5, 6).mapToLong(field -> Long.parseLong(ticks.group(field))).sum();
      used.put(Integer.valueOf(ticks.group(1)), busy * NANOS_A_TICK);
    }
    if (used.isEmpty() && !text.isBlank()) {
      for (String time : text.strip().split(" ", -1)) {
        used.put(used.size(), Long.valueOf(time));
      }
    }
    return used;
  }

  private Pcpus pcpus(Files files, Map<String, String> contents) {
    String may = contents.getOrDefault(files.cpus(), "").strip();
    return new Pcpus(
        files.pcpus(),
        may.isEmpty() ? files.pcpus() : Pinning.cpus(may),
        byPcpu(contents.getOrDefault(files.account() + BY_PCPU, "")));
  }

  private Optional<Account> account(
      Files files, Map<String, String> contents, Map<String, Map<Integer, TaskTimes>> tasks) {
    Optional<Long> used =
        version == CgroupVersion.V1
            ? Optional.ofNullable(contents.get(files.usage(version))).map(Long::valueOf)
            : Optional.ofNullable(contents.get(files.usage(version)))
                .flatMap(text -> Snapshot.Node.counted(text, "usage_usec"))
                .map(micros -> 1_000 * micros);
    if (used.isEmpty() || !files.inode.equals(contents.get(files.directory))) {
      return Optional.empty();
    }
    String stat = contents.getOrDefault(files.directory + "/cpu.stat", "");
    long throttled =
        Snapshot.Node.counted(stat, "throttled_time")
            .or(() -> Snapshot.Node.counted(stat, "throttled_usec").map(micros -> 1_000 * micros))
            .orElse(0L);
    Map<String, Long> stalled = new HashMap<>();
    Matcher lines = STALLED.matcher(contents.getOrDefault(files.directory + "/cpu.pressure", ""));
    while (lines.find()) {
      stalled.put(lines.group(1), Long.parseLong(lines.group(2)) * 1_000);
    }
    return Optional.of(
        new Account(
            used.get(),
            throttled,
            Optional.ofNullable(stalled.get("some")),
            Optional.ofNullable(stalled.get("full")),
            tasks.getOrDefault(files.directory, Map.of()),
            pcpus(files, contents),
            files.bounded()));
  }
}
