package io.slicewise.host.groups;

import io.slicewise.host.CgroupVersion;
import io.slicewise.host.HypervisorException;
import io.slicewise.profile.Pinning;
import io.slicewise.ssh.Command;
import io.slicewise.ssh.CommandResult;
import io.slicewise.ssh.RemoteShell;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * All control groups of a host at one time, with the files that describe them; read by one command.
 *
 * @param trees where they are
 * @param nodes the groups of each tree by path; the root is {@code /}
 * @param boot the id of the host's boot
 * @param release of the kernel
 * @param pcpus online
 * @param host files of the host that exist, for what they contain
 */
record Snapshot(
    Trees trees,
    Map<String, Map<String, Node>> nodes,
    String boot,
    String release,
    BitSet pcpus,
    Set<String> host) {
  private static final String BOOT = "/proc/sys/kernel/random/boot_id";
  private static final String RELEASE = "/proc/sys/kernel/osrelease";
  private static final String ONLINE = "/sys/devices/system/cpu/online";
  private static final String SYSTEMD = "/run/systemd/system";
  private static final String TRANSIENT = "/run/systemd/transient/%s";
  private static final String DURABLE = "/etc/systemd/system.control/%s.d/50-%s.conf";

  /**
   * Also without a shell's own ideas of a group's name, which may contain anything. A directory
   * that vanishes meanwhile is no failure.
   */
  private static final String SCRIPT =
      """
      for tree in "$@"; do
        [ -d "$tree" ] || { echo "$tree is gone" >&2; exit 1; }
      done
      find "$@" -type d -printf '%%i %%p\\n'
      grep -rsH '' %s "$@"
      grep -rsHm1 '' --include=cgroup.procs "$@"
      echo '@ /'
      for file in %s %s %s; do
        read -r line <$file && echo "$file:$line"
      done
      if [ -d %s ]; then
        ls -d %5$s /etc/systemd/system.control/*.d/50-*.conf /run/systemd/transient/*.s* 2>/dev/null
        find /run/systemd/units -name 'invocation:*' -printf '%%f %%l\\n' 2>/dev/null
      fi
      true\
      """;

  /** The files of settings, each of one line. */
  static final List<String> SETTINGS =
      List.of(
          "cpu.shares",
          "cpu.weight",
          "cpu.cfs_quota_us",
          "cpu.cfs_period_us",
          "cpu.cfs_burst_us",
          "cpu.max",
          "cpu.max.burst",
          "cpu.idle",
          "cpuset.cpus");

  private static final List<String> OTHERS =
      List.of(
          "cpu.stat",
          "cpuacct.usage",
          "cpuset.effective_cpus",
          "cpuset.cpus.effective",
          "cgroup.events");

  private static final Pattern DIRECTORY = Pattern.compile("(\\d+) (/.*)");
  private static final Pattern LINE = Pattern.compile("(/.*)/([a-z_.]+):(.*)");

  /** Of which the first line is read; a group without processes has none. */
  private static final String PROCESSES = "cgroup.procs";

  /**
   * A group in one tree.
   *
   * @param inode of its directory, which is new in each life
   * @param files their contents by name; a file that it does not have is absent
   */
  record Node(String inode, Map<String, String> files) {
    Optional<String> file(String name) {
      return Optional.ofNullable(files.get(name)).map(String::strip);
    }

    /** Returns a number from a file of lines with names; 0 if it has no such line. */
    long counter(String file, String name) {
      return file(file).flatMap(text -> counted(text, name)).orElse(0L);
    }

    /** Returns a number from lines with names; empty if there is no such line. */
    static Optional<Long> counted(String text, String name) {
      return text.lines()
          .map(line -> line.split(" ", -1))
          .filter(fields -> fields.length == 2 && fields[0].equals(name))
          .map(fields -> Long.parseLong(fields[1]))
          .findFirst();
    }
  }

  static Command reading(Trees trees) {
    String includes =
        Stream.concat(SETTINGS.stream(), OTHERS.stream())
            .map("--include="::concat)
            .collect(Collectors.joining(" "));
    List<String> words =
        new ArrayList<>(
            List.of("sh", "-c", SCRIPT.formatted(includes, BOOT, RELEASE, ONLINE, SYSTEMD), "sh"));
    words.addAll(trees.roots());
    return Command.reading(words);
  }

  /** Reads all groups. */
  static Snapshot read(RemoteShell shell, Trees trees) {
    CommandResult result = shell.run(reading(trees));
    if (!result.succeeded()) {
      throw new HypervisorException(
          "The control groups of %s could not be listed: %s"
              .formatted(shell.address(), result.standardError().strip()),
          "Check that this login can read " + String.join(" and ", trees.roots()) + ".");
    }
    return parse(trees, result.standardOutput());
  }

  static Snapshot parse(Trees trees, String printed) {
    int end = Math.max(0, (printed + "\n").indexOf("@ /\n"));
    Map<String, String> host = new LinkedHashMap<>();
    printed
        .substring(end)
        .lines()
        .skip(1)
        .map(line -> line.split(":", 2))
        .forEach(line -> host.put(line[0], line.length == 2 ? line[1].strip() : ""));
    return new Snapshot(
        trees,
        nodes(trees, printed.substring(0, end)),
        host.getOrDefault(BOOT, ""),
        host.getOrDefault(RELEASE, ""),
        host.containsKey(ONLINE) ? Pinning.cpus(host.get(ONLINE)) : new BitSet(),
        printed.substring(end).lines().skip(1).collect(Collectors.toSet()));
  }

  private static Map<String, Map<String, Node>> nodes(Trees trees, String printed) {
    Map<String, Map<String, Node>> nodes = new LinkedHashMap<>();
    trees.roots().forEach(root -> nodes.put(root, new TreeMap<>()));
    for (String line : printed.lines().toList()) {
      Matcher directory = DIRECTORY.matcher(line);
      Matcher content = LINE.matcher(line);
      if (directory.matches()) {
        in(nodes, directory.group(2))
            .ifPresent(
                at ->
                    nodes
                        .get(at.root())
                        .put(at.path(), new Node(directory.group(1), new LinkedHashMap<>())));
      } else if (content.matches()) {
        in(nodes, content.group(1))
            .map(at -> nodes.get(at.root()).get(at.path()))
            .ifPresent(
                node ->
                    node.files()
                        .merge(
                            content.group(2),
                            content.group(3),
                            (before, next) -> before + "\n" + next));
      }
    }
    return nodes;
  }

  /** A group's place in one tree. */
  private record At(String root, String path) {}

  private static Optional<At> in(Map<String, ?> roots, String directory) {
    return roots.keySet().stream()
        .filter(root -> directory.equals(root) || directory.startsWith(root + "/"))
        .map(
            root -> new At(root, directory.equals(root) ? "/" : directory.substring(root.length())))
        .findFirst();
  }

  /** Returns this snapshot with what was printed of some groups' settings since. */
  Snapshot with(String printed) {
    Map<String, Map<String, Node>> renewed = new LinkedHashMap<>();
    nodes.forEach((root, tree) -> renewed.put(root, new TreeMap<>(tree)));
    nodes(trees, printed)
        .forEach(
            (root, tree) ->
                tree.forEach(
                    (path, node) -> {
                      Node before = renewed.get(root).get(path);
                      if (before != null) {
                        Stream.concat(OTHERS.stream(), Stream.of(PROCESSES))
                            .forEach(
                                name ->
                                    before
                                        .file(name)
                                        .ifPresent(text -> node.files().putIfAbsent(name, text)));
                      }
                      renewed.get(root).put(path, node);
                    }));
    return new Snapshot(trees, renewed, boot, release, pcpus, host);
  }

  /**
   * Returns whether systemd manages a group, and would overwrite what is written into its files.
   */
  boolean managed(String path) {
    return host.contains(SYSTEMD)
        && Units.isUnit(path)
        && Platform.place(path).filter(one -> one.platform() == Platform.NOMAD).isEmpty();
  }

  /** Returns the file in which systemd keeps a property of a unit for good, if it does. */
  Optional<String> durable(String unit, String property) {
    return Optional.of(DURABLE.formatted(unit, property)).filter(host::contains);
  }

  /** Returns whether a unit has no file, and is forgotten when it ends. */
  boolean isTransient(String unit) {
    return host.contains(TRANSIENT.formatted(unit));
  }

  /**
   * Returns the id of a unit's life, which systemd gives it at each start; empty if it has none.
   */
  String invocation(String unit) {
    String start = "invocation:" + unit + " ";
    return host.stream()
        .filter(line -> line.startsWith(start))
        .map(line -> line.substring(start.length()))
        .findFirst()
        .orElse("");
  }

  /** Returns the path of the group above. */
  static String above(String path) {
    int slash = path.lastIndexOf('/');
    return slash <= 0 ? "/" : path.substring(0, slash);
  }

  /** Returns the groups with a CPU controller's directory by path. */
  Map<String, Node> groups() {
    return nodes.getOrDefault(trees.cpu(), Map.of());
  }

  /** Returns a group in the tree of cpusets, if it is there. */
  Optional<Node> cpuset(String path) {
    return trees.cpuset().map(nodes::get).map(tree -> tree.get(path));
  }

  /** Returns the CPU time that a group used since it was made, in seconds. */
  double cpuSeconds(String path) {
    Optional<Node> node = trees.usage().map(nodes::get).map(tree -> tree.get(path));
    return trees.version() == CgroupVersion.V1
        ? node.flatMap(one -> one.file("cpuacct.usage")).map(Double::parseDouble).orElse(0.0) / 1e9
        : node.map(one -> one.counter("cpu.stat", "usage_usec")).orElse(0L) / 1e6;
  }

  /** Returns whether a process was in a group, or in one below it. */
  boolean hasProcesses(String path) {
    return groups().entrySet().stream()
        .filter(one -> one.getKey().equals(path) || one.getKey().startsWith(path + "/"))
        .anyMatch(one -> one.getValue().file(PROCESSES).isPresent());
  }

  /** Returns the pCPUs that the tasks of a group may use, by the nearest cpuset. */
  String effectiveCpus(String path) {
    for (String one = path; ; one = above(one)) {
      Optional<String> cpus =
          cpuset(one)
              .flatMap(node -> node.file(trees.version().effectiveCpusFile()))
              .filter(list -> !list.isEmpty());
      if (cpus.isPresent()) {
        return cpus.get();
      }
      if (one.equals("/")) {
        return "";
      }
    }
  }

  /** Returns the pCPUs that the tasks of a group may use, by number. */
  BitSet pcpusOf(String path) {
    String list = effectiveCpus(path);
    return !list.isEmpty()
        ? Pinning.cpus(list)
        : pcpus.isEmpty() ? Pinning.cpus("0") : (BitSet) pcpus.clone();
  }

  /** Returns how many pCPUs the tasks of a group may use. */
  int cpus(String path) {
    return pcpusOf(path).cardinality();
  }

  /** Returns the groups above a group except for the root, the nearest first. */
  List<String> ancestors(String path) {
    List<String> ancestors = new ArrayList<>();
    for (String one = above(path); !one.equals("/"); one = above(one)) {
      ancestors.add(one);
    }
    return ancestors;
  }

  /** Returns the groups directly in a group. */
  List<String> inside(String path) {
    return groups().keySet().stream()
        .filter(one -> !one.equals("/") && above(one).equals(path))
        .toList();
  }
}
