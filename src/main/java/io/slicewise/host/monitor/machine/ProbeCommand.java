package io.slicewise.host.monitor.machine;

import io.slicewise.observe.MachineCounters.Tier;
import io.slicewise.ssh.Command;
import java.util.List;
import java.util.Optional;

/**
 * The command that reads a machine's counters whenever a line on its standard input asks for it:
 * {@code NUMBER long} or {@code NUMBER short}. It installs nothing, never sleeps, and ends with its
 * input. Each line of a reading begins with the name of its file; a missing file has no lines. The
 * uptime is the first and the last one, and follows the CPUs' times, since a vCPU may wait within a
 * reading; the entry of the shell's own process shows what the probe costs.
 */
public final class ProbeCommand {
  /** The line before a reading is this, a blank and the number that was asked for. */
  public static final String MARK = "@";

  /** The line after a reading. */
  public static final String END = "@ end";

  static final String FULL = "long";
  static final String BRIEF = "short";
  static final String UPTIME = "/proc/uptime";
  static final String GUEST_TYPE = "/sys/hypervisor/guest_type";
  static final String BACKENDS = "/sys/bus/xen-backend/devices/";

  private static final String SCRIPT =
      "while read -r n k; do echo \"@ $n\"; case $k in long) grep -s \"\" /proc/uptime $1"
          + " /proc/$$/stat /proc/uptime;; *) grep -s \"\" /proc/uptime $2 /proc/uptime;; esac;"
          + " echo \"@ end\"; done";

  /** The files of a full reading, on every tier. */
  public static final List<String> FILES =
      List.of(
          "/proc/sys/kernel/random/boot_id",
          "/proc/stat",
          UPTIME,
          "/proc/vmstat",
          "/proc/diskstats",
          "/proc/pressure/cpu",
          "/proc/pressure/io",
          "/proc/pressure/memory",
          "/proc/loadavg",
          "/proc/meminfo",
          "/proc/net/dev");

  /** The files of a reading between the ends. */
  public static final List<String> FEW_FILES =
      List.of("/proc/stat", "/proc/diskstats", "/proc/pressure/io");

  private ProbeCommand() {}

  /**
   * Returns the command for a machine.
   *
   * @param service the systemd unit whose control group is read too, without {@code .service}
   */
  public static Command of(Tier tier, Optional<String> service) {
    String files = String.join(" ", FILES) + (tier == Tier.GUEST ? " " + GUEST_TYPE : "");
    if (tier == Tier.DOM0 || tier == Tier.STORAGE) {
      files += " " + BACKENDS + "vbd-*/statistics/*";
    }
    if (service.isPresent()) {
      files += groups("/sys/fs/cgroup/system.slice/" + service.get() + ".service/");
      // A unit of a template is in a slice of its own.
      files += groups("/sys/fs/cgroup/system.slice/*/" + service.get() + ".service/");
    }
    return Command.reading("sh", "-c", SCRIPT, "probe", files, String.join(" ", FEW_FILES));
  }

  /**
   * Returns the command line for a guest without a service, as sshd receives it; an account can be
   * limited to it.
   */
  public static String guestLine() {
    return of(Tier.GUEST, Optional.empty()).quoted();
  }

  private static String groups(String directory) {
    return " %scpu.stat %smemory.stat %sio.stat".formatted(directory, directory, directory);
  }
}
