package io.slicewise.base.units;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The processes of this program: this one, those that it started, and those that it started and
 * that left its process tree, as servers do. See proc_pid_stat(5).
 */
public final class OwnProcesses {
  /** Processor time of the process and of its children that have ended, after the name. */
  private static final int UTIME = 11;

  private static final int CSTIME = 14;
  private static final Set<Long> DETACHED = ConcurrentHashMap.newKeySet();

  private OwnProcesses() {}

  /** Counts as its own a server that this program started and that left the process tree. */
  public static void add(long pid) {
    DETACHED.add(pid);
  }

  /** Forgets a server that has ended, because its number can pass to another process. */
  public static void remove(long pid) {
    DETACHED.remove(pid);
  }

  /**
   * Returns the CPU time that they used, in the ticks of {@link MachineTimes}; 0 where the platform
   * does not report it. A child that has ended counts as time of its parent.
   */
  public static double ticks() {
    Set<Long> all = new HashSet<>(DETACHED);
    all.add(ProcessHandle.current().pid());
    for (long root : Set.copyOf(all)) {
      ProcessHandle.of(root)
          .ifPresent(one -> one.descendants().map(ProcessHandle::pid).forEach(all::add));
    }
    return all.stream().mapToDouble(OwnProcesses::ticksOf).sum();
  }

  private static double ticksOf(long pid) {
    try {
      return ticks(Files.readString(Path.of("/proc", Long.toString(pid), "stat")));
    } catch (IOException ended) {
      return 0;
    }
  }

  /** Parses the time of a process. Its name, in brackets, may contain spaces and brackets. */
  static double ticks(String stat) {
    String[] fields = stat.substring(stat.lastIndexOf(')') + 1).strip().split(" ");
    return Arrays.stream(fields, UTIME, CSTIME + 1).mapToDouble(Double::parseDouble).sum();
  }
}
