package io.slicewise.host.libvirt;

import io.slicewise.ssh.Command;
import io.slicewise.ssh.CommandResult;
import io.slicewise.ssh.RemoteShell;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Finds the processes of guests and their control groups. */
final class GuestProcesses {
  /** The line that {@code ls} prints above each of several directories. */
  private static final Pattern TASKS_OF = Pattern.compile("(/proc/[0-9]+/task):");

  private final RemoteShell shell;
  private final KernelFiles files;

  GuestProcesses(RemoteShell shell) {
    this.shell = shell;
    this.files = new KernelFiles(shell);
  }

  /** Returns the file in which libvirt stores the id of a guest's process. */
  static String pidFile(String name) {
    return "/run/libvirt/qemu/%s.pid".formatted(name);
  }

  /** Returns process ids by the guests' names; a guest whose process is not found is absent. */
  Map<String, Integer> pids(Map<String, String> uuidsByName) {
    List<String> paths = uuidsByName.keySet().stream().map(GuestProcesses::pidFile).toList();
    Map<String, String> read = files.read(paths);
    Map<String, Integer> pids = new LinkedHashMap<>();
    uuidsByName.forEach(
        (name, uuid) ->
            pid(read.getOrDefault(pidFile(name), ""))
                .or(() -> byUuid(uuid))
                .ifPresent(pid -> pids.put(name, pid)));
    return pids;
  }

  /**
   * Finds the process by the guest's UUID in its emulator's arguments, if the file cannot be read.
   */
  private Optional<Integer> byUuid(String uuid) {
    CommandResult found = shell.run(Command.reading("pgrep", "-o", "-f", "[-]uuid " + uuid));
    return found.succeeded() ? pid(found.standardOutput()) : Optional.empty();
  }

  private static Optional<Integer> pid(String text) {
    return text.strip().matches("[1-9][0-9]{0,8}")
        ? Optional.of(Integer.parseInt(text.strip()))
        : Optional.empty();
  }

  /** Returns the directories of the guests' control groups by name. */
  Map<String, String> groups(ControlGroups tree, Map<String, Integer> pids) {
    List<String> paths = new ArrayList<>();
    pids.values().forEach(pid -> paths.add(cgroupFile(pid)));
    Map<String, String> read = files.read(paths);
    Map<String, String> groups = new LinkedHashMap<>();
    pids.forEach(
        (name, pid) ->
            tree.groupOf(read.getOrDefault(cgroupFile(pid), ""))
                .ifPresent(group -> groups.put(name, group)));
    return groups;
  }

  /** Returns the directories of the processes' threads. */
  Map<Integer, List<String>> tasks(Collection<Integer> pids) {
    Map<Integer, List<String>> tasks = new LinkedHashMap<>();
    if (pids.isEmpty()) {
      return tasks;
    }
    List<String> words = new ArrayList<>(List.of("ls", "-1"));
    pids.forEach(pid -> words.add(taskDirectory(pid)));
    String directory = taskDirectory(pids.iterator().next());
    for (String line : shell.run(Command.reading(words)).standardOutput().lines().toList()) {
      Matcher head = TASKS_OF.matcher(line);
      if (head.matches()) {
        directory = head.group(1);
      } else if (line.matches("[0-9]+")) {
        String tasksOf = directory.substring("/proc/".length(), directory.lastIndexOf('/'));
        tasks
            .computeIfAbsent(Integer.valueOf(tasksOf), any -> new ArrayList<>())
            .add(directory + "/" + line);
      }
    }
    return tasks;
  }

  private static String taskDirectory(int pid) {
    return "/proc/%d/task".formatted(pid);
  }

  private static String cgroupFile(int pid) {
    return "/proc/%d/cgroup".formatted(pid);
  }
}
