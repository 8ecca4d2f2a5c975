package io.slicewise.host.groups;

import io.slicewise.host.Domain;
import io.slicewise.ssh.Command;
import io.slicewise.ssh.CommandResult;
import io.slicewise.ssh.RemoteShell;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
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
  private static final Pattern STALLED = Pattern.compile("(some|full) .*total=(\\d+)");

  private static final String SCRIPT =
      """
      grep -sH '' %1$s %2$s %1$s
      stat -c '%%n:%%i' %3$s
      for group in %3$s; do
        echo "@ $group"
        find "$group" '(' -name tasks -o -name cgroup.threads ')' -exec cat {} + |
          sed 's|.*|/proc/&/schedstat|' | xargs -r grep -sH ''
      done 2>/dev/null
      true\
      """;

  private final CgroupVersion version;
  private final Map<String, Files> guests;

  /**
   * The files of one guest.
   *
   * @param directory of its group
   * @param inode of that directory
   * @param usage the file with the CPU time that it used
   */
  private record Files(String directory, String inode, String usage) {
    Stream<String> counted(CgroupVersion version) {
      return version == CgroupVersion.V1
          ? Stream.of(usage, directory + "/cpu.stat")
          : Stream.of(usage, directory + "/cpu.pressure");
    }
  }

  private GroupAccounts(CgroupVersion version, Map<String, Files> guests) {
    this.version = version;
    this.guests = guests;
  }

  /** Finds the groups of these guests; a guest whose group is not found is absent. */
  public static GroupAccounts of(RemoteShell shell, List<Domain> domains) {
    CommandResult mounts = shell.run(Trees.READING);
    Trees trees = Trees.of(shell.address(), mounts.standardOutput());
    Map<String, Guest> listed = new Inventory(shell, trees).read().guests();
    Map<String, Files> guests = new LinkedHashMap<>();
    for (Domain domain : domains) {
      Guest guest = listed.get(domain.name());
      if (guest != null && domain.isSame(guest.domain())) {
        guests.put(domain.name(), files(trees, guest));
      }
    }
    return new GroupAccounts(trees.version(), guests);
  }

  private static Files files(Trees trees, Guest guest) {
    String usage = trees.version() == CgroupVersion.V1 ? "/cpuacct.usage" : "/cpu.stat";
    return new Files(
        trees.cpu() + guest.path(),
        guest.inode(),
        trees.usage().orElse(trees.cpu()) + guest.path() + usage);
  }

  /** Returns the command that reads everything at once. */
  public Command reading() {
    if (guests.isEmpty()) {
      return Command.reading("cat", UPTIME, UPTIME);
    }
    String counted =
        guests.values().stream()
            .flatMap(files -> files.counted(version))
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
   */
  public record Account(
      long used,
      long throttled,
      Optional<Long> some,
      Optional<Long> full,
      Map<Integer, TaskTimes> tasks) {}

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
   */
  public record Reading(double seconds, Map<String, Account> guests) {}

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
    return Optional.of(new Reading((uptimes.get(0) + uptimes.get(1)) / 2, read));
  }

  private Optional<Account> account(
      Files files, Map<String, String> contents, Map<String, Map<Integer, TaskTimes>> tasks) {
    Optional<Long> used =
        version == CgroupVersion.V1
            ? Optional.ofNullable(contents.get(files.usage)).map(Long::valueOf)
            : Optional.ofNullable(contents.get(files.usage))
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
            tasks.getOrDefault(files.directory, Map.of())));
  }
}
