package io.slicewise.host.monitor.machine;

import io.slicewise.ssh.Command;
import io.slicewise.ssh.RemoteShell;
import io.slicewise.ssh.RemoteShellException;
import java.util.Map;
import java.util.TreeMap;

/**
 * What must be the same for two measurements of a machine to be comparable: its CPU, kernel, memory
 * and disks, as its own kernel shows them.
 */
public final class Fingerprint {
  private static final String CPU = "/sys/devices/system/cpu/";

  /** Files with one line, and the name of the fact; {@code *} stands for one part of a path. */
  private static final Map<String, String> FACTS =
      Map.of(
          "/proc/sys/kernel/osrelease",
          "kernel",
          "/proc/cmdline",
          "command line",
          CPU + "online",
          "CPUs online",
          CPU + "cpu0/cpufreq/scaling_governor",
          "governor",
          "/sys/devices/system/clocksource/clocksource0/current_clocksource",
          "clocksource",
          "/sys/kernel/mm/transparent_hugepage/enabled",
          "transparent huge pages",
          CPU + "smt/active",
          "hyper-threads",
          "/sys/hypervisor/type",
          "hypervisor type",
          ProbeCommand.GUEST_TYPE,
          "guest type");

  private static final String NETWORK = "/sys/class/net/";
  private static final String NODES = "/sys/devices/system/node/";
  private static final String VULNERABILITIES = CPU + "vulnerabilities/";

  private Fingerprint() {}

  /** Returns the facts by name; those that the machine does not show are missing. */
  public static Map<String, String> of(RemoteShell shell) {
    String files =
        String.join(" ", FACTS.keySet())
            + " "
            + VULNERABILITIES
            + "* /sys/block/*/queue/scheduler /sys/block/*/queue/read_ahead_kb"
            + " /sys/block/*/queue/rotational /sys/block/*/size /sys/block/*/device/model"
            + " /sys/class/net/*/speed /sys/class/net/*/mtu"
            + " /sys/devices/system/node/node*/cpulist /sys/devices/system/node/online"
            + " /proc/cpuinfo /proc/meminfo /proc/mounts";
    Map<String, String> facts = new TreeMap<>();
    try {
      shell
          .run(Command.reading("sh", "-c", "grep -s \"\" $1", "facts", files))
          .standardOutput()
          .lines()
          .forEach(line -> add(line, facts));
    } catch (RemoteShellException unreachable) {
      // A run does not fail for want of its fingerprint.
      facts.clear();
    }
    return facts;
  }

  private static void add(String line, Map<String, String> facts) {
    int colon = line.indexOf(':');
    if (colon < 0) {
      return;
    }
    String file = line.substring(0, colon);
    String text = line.substring(colon + 1).strip();
    if (FACTS.containsKey(file)) {
      facts.put(FACTS.get(file), text);
    } else if (file.startsWith(VULNERABILITIES)) {
      facts.put("vulnerability " + file.substring(VULNERABILITIES.length()), text);
    } else if (file.startsWith("/sys/block/")) {
      disk(file.split("/", -1), text, facts);
    } else if (file.startsWith(NETWORK)) {
      String[] path = file.split("/", -1);
      if (!path[4].equals("lo")) {
        facts.put("network %s %s".formatted(path[4], path[5]), text);
      }
    } else if (file.startsWith(NODES)) {
      String[] path = file.substring(NODES.length()).split("/", -1);
      facts.put(path.length == 1 ? "NUMA nodes" : "CPUs of " + path[0], text);
    } else if (file.equals("/proc/mounts")) {
      mount(text.split(" ", -1), facts);
    } else {
      first("model name", "CPU model", text, facts);
      first("microcode", "microcode", text, facts);
      first("MemTotal", "memory", text, facts);
    }
  }

  /** Takes the first of several lines {@code key : value}. */
  private static void first(String key, String name, String text, Map<String, String> facts) {
    if (text.startsWith(key)) {
      facts.putIfAbsent(name, text.substring(text.indexOf(':') + 1).strip());
    }
  }

  private static void disk(String[] path, String text, Map<String, String> facts) {
    String device = path[3];
    if (!device.startsWith("loop") && !device.startsWith("ram")) {
      facts.put("disk %s %s".formatted(device, path[path.length - 1]), text);
    }
  }

  private static void mount(String[] fields, Map<String, String> facts) {
    if (fields.length > 3 && fields[0].startsWith("/dev/")) {
      facts.put("mount " + fields[1], fields[2] + " " + fields[3]);
    }
  }
}
