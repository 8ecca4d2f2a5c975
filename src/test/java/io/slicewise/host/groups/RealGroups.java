package io.slicewise.host.groups;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

/**
 * Real control groups of this machine, each with a process that sleeps; where this process is root
 * and the CPU controller can be used, with version 1 or 2. Closing ends and removes them.
 */
public final class RealGroups implements AutoCloseable {
  /** For {@code ResourceLock}: tests that look at all groups of the machine run one by one. */
  public static final String LOCK = "control groups of this machine";

  private static final AtomicInteger MADE = new AtomicInteger();

  private final String top;
  private final boolean second;
  private final Path cpu;
  private final Optional<Path> cpuset;
  private final Optional<Path> usage;
  private final Map<String, Process> processes = new LinkedHashMap<>();

  private RealGroups(
      String top, boolean second, Path cpu, Optional<Path> cpuset, Optional<Path> usage) {
    this.top = top;
    this.second = second;
    this.cpu = cpu;
    this.cpuset = cpuset;
    this.usage = usage;
  }

  /** Skips the test where there can be none; otherwise makes these groups. */
  public static RealGroups with(String... names) {
    assumeTrue("root".equals(System.getProperty("user.name")), "control groups need root");
    Optional<Path> first = mounted("cgroup", "cpu");
    Optional<Path> unified = mounted("cgroup2", "");
    Optional<Path> tree =
        first.or(
            () -> unified.filter(root -> read(root, "cgroup.subtree_control").contains("cpu")));
    assumeTrue(tree.isPresent(), "no CPU controller of control groups is mounted and enabled");
    assumeTrue(Files.isWritable(tree.get()), "the control groups cannot be written");
    boolean second = first.isEmpty();
    RealGroups groups =
        new RealGroups(
            "slicewise-test-%d-%d".formatted(ProcessHandle.current().pid(), MADE.incrementAndGet()),
            second,
            tree.get(),
            second ? Optional.empty() : mounted("cgroup", "cpuset"),
            mounted("cgroup", "cpuacct").filter(path -> !second && !path.equals(tree.get())));
    for (String name : names) {
      groups.make(name);
    }
    return groups;
  }

  private static Optional<Path> mounted(String type, String controller) {
    try (Stream<String> mounts = Files.lines(Path.of("/proc/mounts"))) {
      return mounts
          .map(line -> line.split(" "))
          .filter(fields -> fields[2].equals(type))
          .filter(
              fields -> controller.isEmpty() || List.of(fields[3].split(",")).contains(controller))
          .map(fields -> Path.of(fields[1]))
          .findFirst();
    } catch (IOException fault) {
      return Optional.empty();
    }
  }

  /** Whether they are of version 2. */
  public boolean second() {
    return second;
  }

  /** The path of a group below the mount point. */
  public String path(String name) {
    return "/" + top + "/" + name;
  }

  private Path directory(String name) {
    return cpu.resolve(path(name).substring(1));
  }

  /** Makes a group with a process. */
  public void make(String name) {
    try {
      Files.createDirectories(directory(name));
      if (second) {
        write("..", "cgroup.subtree_control", "+cpu");
      }
      if (cpuset.isPresent()) {
        Path above = cpuset.get();
        for (Path part : Path.of(path(name)).normalize()) {
          Path inside = Files.createDirectories(above.resolve(part));
          for (String file : List.of("cpuset.cpus", "cpuset.mems")) {
            Files.writeString(inside.resolve(file), read(above, file));
          }
          above = inside;
        }
      }
      if (usage.isPresent()) {
        Files.createDirectories(usage.get().resolve(path(name).substring(1)));
      }
      Process process = new ProcessBuilder("sleep", "600").start();
      processes.put(name, process);
      take(name, process.pid());
    } catch (IOException fault) {
      throw new UncheckedIOException(fault);
    }
  }

  /** Moves a process into a group. */
  public void take(String name, long process) {
    try {
      for (Path tree : trees()) {
        Files.writeString(
            tree.resolve(path(name).substring(1)).resolve("cgroup.procs"), "" + process);
      }
    } catch (IOException fault) {
      throw new UncheckedIOException(fault);
    }
  }

  /** Moves the process of a group into another one, and that one's into it. */
  public void swap(String one, String other) {
    take(other, processes.get(one).pid());
    take(one, processes.get(other).pid());
    Process process = processes.get(one);
    processes.put(one, processes.get(other));
    processes.put(other, process);
  }

  private List<Path> trees() {
    List<Path> trees = new ArrayList<>(List.of(cpu));
    cpuset.ifPresent(trees::add);
    usage.ifPresent(trees::add);
    return trees;
  }

  /** Ends a group's process and removes the group. */
  public void remove(String name) {
    try {
      Process process = processes.remove(name);
      process.destroyForcibly().waitFor();
      for (Path tree : trees()) {
        removeWhenEmpty(tree.resolve(path(name).substring(1)));
      }
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  /** A group is empty a moment after its last process was reaped. */
  private static void removeWhenEmpty(Path group) throws InterruptedException {
    for (int attempt = 0; ; attempt++) {
      try {
        Files.deleteIfExists(group);
        return;
      } catch (IOException busy) {
        if (attempt == 100) {
          throw new UncheckedIOException(busy);
        }
        Thread.sleep(10);
      }
    }
  }

  /** Reads a file of a group. */
  public String read(String name, String file) {
    return read(directory(name), file).strip();
  }

  private static String read(Path directory, String file) {
    try {
      return Files.readString(directory.resolve(file));
    } catch (IOException fault) {
      throw new UncheckedIOException(fault);
    }
  }

  /** Writes into a file of a group, or of the group above all with {@code ".."}. */
  public void write(String name, String file, String value) {
    try {
      Path group = name.equals("..") ? cpu.resolve(top) : directory(name);
      Files.writeString(group.resolve(file), value + "\n");
    } catch (IOException fault) {
      throw new UncheckedIOException(fault);
    }
  }

  /** Everything that can be set of a group, as its files contain it. */
  public String settings(String name) {
    List<String> files =
        second
            ? List.of("cpu.weight", "cpu.max", "cpu.max.burst", "cpu.idle")
            : List.of(
                "cpu.shares",
                "cpu.cfs_quota_us",
                "cpu.cfs_period_us",
                "cpu.cfs_burst_us",
                "cpu.idle");
    List<String> read = new ArrayList<>();
    files.forEach(file -> read.add(read(name, file)));
    cpuset.ifPresent(
        tree -> read.add(read(tree.resolve(path(name).substring(1)), "cpuset.cpus").strip()));
    return String.join(" ", read);
  }

  @Override
  public void close() {
    List.copyOf(processes.keySet()).forEach(this::remove);
    try {
      for (Path tree : trees()) {
        removeWhenEmpty(tree.resolve(top));
      }
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
