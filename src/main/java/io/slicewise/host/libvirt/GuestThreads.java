package io.slicewise.host.libvirt;

import io.slicewise.host.Domain;
import io.slicewise.ssh.Command;
import io.slicewise.ssh.RemoteShell;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The threads of guests for which the kernel keeps accounts: one per vCPU, and those of the
 * emulator. One command reads all of them, so that the readings of guests are as close in time as
 * possible.
 */
public final class GuestThreads {
  private static final String UPTIME = "/proc/uptime";
  private static final Pattern VCPU = Pattern.compile("CPU (\\d+)/(?:KVM|TCG)");
  private static final String STAT = "/cpu.stat";

  /**
   * A guest's files.
   *
   * @param vcpus the directories of its vCPUs' threads, by number
   * @param emulator those of the other threads
   * @param group its control group; empty if it has none
   */
  private record Files(
      int pid, Map<Integer, String> vcpus, List<String> emulator, Optional<String> group) {
    Stream<String> paths(String name) {
      Stream<String> threads =
          Stream.concat(vcpus.values().stream(), emulator.stream()).map(GuestThreads::schedstat);
      Stream<String> groups =
          group.stream()
              .flatMap(
                  path ->
                      Stream.concat(
                          Stream.of(path + STAT, path + "/emulator" + STAT),
                          vcpus.keySet().stream().map(number -> vcpuStat(path, number))));
      return Stream.of(Stream.of(GuestProcesses.pidFile(name)), threads, groups).flatMap(s -> s);
    }
  }

  private final Map<String, Files> guests;
  private final List<String> paths;

  private GuestThreads(Map<String, Files> guests) {
    this.guests = guests;
    List<String> all = new ArrayList<>(List.of(UPTIME));
    guests.forEach((name, files) -> files.paths(name).forEach(all::add));
    all.add(UPTIME);
    this.paths = List.copyOf(all);
  }

  /** Finds the current threads of these guests; a guest without a process is absent. */
  public static GuestThreads find(RemoteShell shell, boolean sudo, List<Domain> domains) {
    LibvirtInventory inventory = new LibvirtInventory(new Virsh(shell, Virsh.prefix(sudo)));
    Map<String, String> uuids = new LinkedHashMap<>();
    inventory.guests().stream()
        .filter(guest -> domains.stream().anyMatch(one -> one.name().equals(guest.name())))
        .forEach(guest -> uuids.put(guest.name(), guest.uuid()));
    GuestProcesses processes = new GuestProcesses(shell);
    Map<String, Integer> pids = processes.pids(uuids);
    Map<String, String> groups = processes.groups(inventory.tree(), pids);
    Map<Integer, List<String>> tasks = processes.tasks(pids.values());
    Map<String, String> names =
        new KernelFiles(shell)
            .read(tasks.values().stream().flatMap(List::stream).map(GuestThreads::comm).toList());
    Map<String, Files> guests = new LinkedHashMap<>();
    pids.forEach(
        (name, pid) ->
            guests.put(
                name,
                files(
                    pid,
                    tasks.getOrDefault(pid, List.of()),
                    names,
                    Optional.ofNullable(groups.get(name)))));
    return new GuestThreads(guests);
  }

  private static Files files(
      int pid, List<String> tasks, Map<String, String> names, Optional<String> group) {
    Map<Integer, String> vcpus = new TreeMap<>();
    List<String> emulator = new ArrayList<>();
    for (String task : tasks) {
      Matcher vcpu = VCPU.matcher(names.getOrDefault(comm(task), "").strip());
      if (vcpu.matches()) {
        vcpus.put(Integer.parseInt(vcpu.group(1)), task);
      } else {
        emulator.add(task);
      }
    }
    return new Files(pid, vcpus, List.copyOf(emulator), group);
  }

  private static String comm(String task) {
    return task + "/comm";
  }

  private static String schedstat(String task) {
    return task + "/schedstat";
  }

  private static String vcpuStat(String group, int vcpu) {
    return "%s/vcpu%d%s".formatted(group, vcpu, STAT);
  }

  /** Returns the command that reads everything at once. */
  public Command reading() {
    return KernelFiles.reading(paths);
  }

  /**
   * The times of a guest's threads up to a moment, in nanoseconds.
   *
   * @param vcpus by number
   * @param emulator all other threads by their directories; some may start or end
   * @param emulatorThrottled time throttled by the quota of their own group
   * @param throttled time in which all threads were throttled by the guest's quota, on every pCPU
   */
  public record Guest(
      Map<Integer, ThreadTimes> vcpus,
      Map<String, ThreadTimes> emulator,
      long emulatorThrottled,
      long throttled) {}

  /**
   * The times of one thread up to a moment, in nanoseconds.
   *
   * @param run on a pCPU
   * @param ready runnable but not running, including throttled time
   * @param throttled throttled by the quota of its own group
   */
  public record ThreadTimes(long run, long ready, long throttled) {}

  /**
   * One reading.
   *
   * @param seconds since the host's boot, in the middle of the reading
   * @param guests by name; absent if its process or threads have changed
   */
  public record Reading(double seconds, Map<String, Guest> guests) {}

  /** Parses the output of {@link #reading}; empty if it is unusable. */
  public Optional<Reading> parse(String printed) {
    Map<String, String> contents = KernelFiles.contents(paths, printed);
    List<Double> uptimes =
        contents
            .getOrDefault(UPTIME, "")
            .lines()
            .map(line -> line.split(" ", -1)[0])
            .filter(text -> text.matches("\\d{1,12}\\.\\d{1,9}"))
            .map(Double::valueOf)
            .toList();
    if (uptimes.size() < 2) {
      return Optional.empty();
    }
    double middle = (uptimes.get(0) + uptimes.get(uptimes.size() - 1)) / 2;
    Map<String, Guest> read = new LinkedHashMap<>();
    guests.forEach(
        (name, files) -> guest(name, files, contents).ifPresent(guest -> read.put(name, guest)));
    return Optional.of(new Reading(middle, read));
  }

  private static Optional<Guest> guest(String name, Files files, Map<String, String> contents) {
    String pid = contents.getOrDefault(GuestProcesses.pidFile(name), "").strip();
    if (!pid.isEmpty() && !pid.equals(Integer.toString(files.pid))) {
      return Optional.empty();
    }
    Map<Integer, ThreadTimes> vcpus = new TreeMap<>();
    for (Map.Entry<Integer, String> vcpu : files.vcpus.entrySet()) {
      Optional<long[]> counted = counters(contents.get(schedstat(vcpu.getValue())));
      if (counted.isEmpty()) {
        return Optional.empty();
      }
      long throttled =
          files.group.map(path -> throttled(contents, vcpuStat(path, vcpu.getKey()))).orElse(0L);
      vcpus.put(vcpu.getKey(), new ThreadTimes(counted.get()[0], counted.get()[1], throttled));
    }
    Map<String, ThreadTimes> others = new LinkedHashMap<>();
    for (String task : files.emulator) {
      counters(contents.get(schedstat(task)))
          .ifPresent(counted -> others.put(task, new ThreadTimes(counted[0], counted[1], 0)));
    }
    long emulator =
        files.group.map(path -> throttled(contents, path + "/emulator" + STAT)).orElse(0L);
    long all = files.group.map(path -> throttled(contents, path + STAT)).orElse(0L);
    return vcpus.isEmpty()
        ? Optional.empty()
        : Optional.of(new Guest(vcpus, others, emulator, all));
  }

  private static long throttled(Map<String, String> contents, String path) {
    return ControlGroups.throttledNanos(contents.getOrDefault(path, ""));
  }

  private static Optional<long[]> counters(String schedstat) {
    Matcher fields =
        Pattern.compile("(\\d{1,18}) (\\d{1,18}) \\d+\\s*")
            .matcher(schedstat == null ? "" : schedstat);
    return fields.matches()
        ? Optional.of(new long[] {Long.parseLong(fields.group(1)), Long.parseLong(fields.group(2))})
        : Optional.empty();
  }
}
