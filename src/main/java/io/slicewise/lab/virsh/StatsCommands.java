package io.slicewise.lab.virsh;

import io.slicewise.lab.libvirt.LibvirtError;
import io.slicewise.lab.libvirt.LibvirtGuest;
import io.slicewise.lab.libvirt.Life;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/** {@code domstats} and {@code cpu-stats}. */
final class StatsCommands {
  private static final long TICK_NANOS = 10_000_000;
  private static final long RESIDENT_KIB = 207_136;
  private static final List<String> GROUPS =
      List.of(
          "state",
          "cpu-total",
          "balloon",
          "vcpu",
          "interface",
          "block",
          "perf",
          "iothread",
          "memory",
          "dirtyrate",
          "vm");

  private StatsCommands() {}

  static List<VirshCommand> commands() {
    List<VshOption> options = new ArrayList<>();
    GROUPS.forEach(group -> options.add(VshOption.flag(group, "report domain " + group)));
    for (String filter :
        List.of(
            "list-active",
            "list-inactive",
            "list-persistent",
            "list-transient",
            "list-running",
            "list-paused",
            "list-shutoff",
            "list-other")) {
      options.add(VshOption.flag(filter, filter.replace("list-", "list only ") + " domains"));
    }
    options.add(VshOption.flag("raw", "do not pretty-print the fields"));
    options.add(VshOption.flag("enforce", "enforce requested stats parameters"));
    options.add(VshOption.flag("backing", "add backing chain information to block stats"));
    options.add(VshOption.flag("nowait", "report only stats that are accessible instantly"));
    options.add(VshOption.rest("domain", "list of domains to get stats for"));
    return List.of(
        VirshCommand.of(
            "domstats",
            "get statistics about one or multiple domains",
            StatsCommands::stats,
            options.toArray(VshOption[]::new)),
        VirshCommand.of(
            "cpu-stats",
            "show domain cpu statistics",
            StatsCommands::cpuStats,
            VshOption.domain(),
            VshOption.flag("total", "Show total statistics only"),
            VshOption.number("start", false, "Show statistics from this CPU"),
            VshOption.number("count", false, "Number of shown CPUs at most")));
  }

  private static void stats(VirshSession session, VshArguments arguments) throws IOException {
    List<LibvirtGuest> guests =
        arguments.has("domain")
            ? arguments.rest("domain").stream().map(session::guest).toList()
            : session.guests();
    boolean first = true;
    for (LibvirtGuest guest : guests.stream().filter(wanted(arguments)).toList()) {
      if (!first) {
        session.extra("\n");
      }
      first = false;
      session.print("Domain: '%s'\n", guest.name());
      for (String line : lines(session, arguments, guest)) {
        session.print("  %s\n", line);
      }
    }
  }

  private static Predicate<LibvirtGuest> wanted(VshArguments arguments) {
    return guest -> {
      boolean runs = guest.life().isPresent();
      boolean persistent = guest.config().isPresent();
      String state = guest.state().text().replace(" ", "");
      boolean byState =
          arguments.has("list-" + state)
              || List.of("list-running", "list-paused", "list-shutoff", "list-other").stream()
                  .noneMatch(arguments::has);
      return (arguments.has("list-active") == arguments.has("list-inactive")
              || arguments.has("list-active") == runs)
          && (arguments.has("list-persistent") == arguments.has("list-transient")
              || arguments.has("list-persistent") == persistent)
          && byState;
    };
  }

  private static List<String> lines(
      VirshSession session, VshArguments arguments, LibvirtGuest guest) {
    boolean all = GROUPS.stream().noneMatch(arguments::has);
    List<String> lines = new ArrayList<>();
    for (String group : GROUPS) {
      if (all || arguments.has(group)) {
        add(lines, group, session, guest);
      }
    }
    return lines;
  }

  private static void add(
      List<String> lines, String group, VirshSession session, LibvirtGuest guest) {
    boolean runs = guest.life().isPresent();
    switch (group) {
      case "state" -> {
        lines.add("state.state=" + guest.state().number());
        lines.add("state.reason=" + guest.reasonNumber());
      }
      case "cpu-total" -> cpu(lines, session, guest);
      case "balloon" -> {
        lines.add("balloon.current=" + guest.current().memoryKib());
        lines.add("balloon.maximum=" + guest.current().memoryKib());
        if (runs) {
          lines.add("balloon.rss=" + RESIDENT_KIB);
        }
      }
      case "vcpu" -> vcpus(lines, guest);
      case "interface" -> {
        if (runs) {
          lines.add("net.count=0");
        }
      }
      case "block" -> lines.add("block.count=0");
      case "iothread" -> iothreads(lines, guest);
      case "dirtyrate" -> {
        if (runs) {
          lines.add("dirtyrate.calc_status=0");
          lines.add("dirtyrate.calc_start_time=0");
          lines.add("dirtyrate.calc_period=0");
          lines.add("dirtyrate.calc_mode=page-sampling");
        }
      }
      default -> {}
    }
  }

  /**
   * Adds the CPU time of a guest. For a guest that is shut off, libvirt shows its own daemon's
   * time.
   */
  private static void cpu(List<String> lines, VirshSession session, LibvirtGuest guest) {
    if (guest.life().isEmpty()) {
      long ticks = session.daemon().ownNanos() / TICK_NANOS;
      lines.add("cpu.time=" + ticks * TICK_NANOS);
      lines.add("cpu.user=" + ticks / 2 * TICK_NANOS);
      lines.add("cpu.system=" + (ticks - ticks / 2) * TICK_NANOS);
      return;
    }
    CpuTime time = CpuTime.of(guest.running());
    lines.add("cpu.time=" + time.total());
    lines.add("cpu.user=" + time.user());
    lines.add("cpu.system=" + time.system());
    lines.add("cpu.cache.monitor.count=0");
    lines.add("cpu.haltpoll.success.time=0");
    lines.add("cpu.haltpoll.fail.time=0");
  }

  /** The CPU time of the guest's control group, to the microsecond. */
  private record CpuTime(long total, long user, long system) {
    static CpuTime of(Life life) {
      long total = life.cpuNanos() / 1000 * 1000;
      long system = total / 10_000 * 1000;
      return new CpuTime(total, total - system, system);
    }
  }

  private static void vcpus(List<String> lines, LibvirtGuest guest) {
    int count = guest.current().vcpus();
    lines.add("vcpu.current=" + count);
    lines.add("vcpu.maximum=" + guest.current().most());
    if (guest.life().isEmpty()) {
      return;
    }
    Life life = guest.running();
    for (int vcpu = 0; vcpu < count; vcpu++) {
      String name = "vcpu." + vcpu + ".";
      lines.add(name + "state=1");
      lines.add(name + "time=" + life.times(vcpu).runningNanos() / TICK_NANOS * TICK_NANOS);
      lines.add(name + "wait=0");
      lines.add(name + "delay=" + life.readyNanos(vcpu));
    }
  }

  private static void iothreads(List<String> lines, LibvirtGuest guest) {
    if (guest.life().isEmpty() || guest.current().iothreads() == 0) {
      return;
    }
    lines.add("iothread.count=" + guest.current().iothreads());
    for (int number = 1; number <= guest.current().iothreads(); number++) {
      lines.add("iothread." + number + ".poll-max-ns=32768");
      lines.add("iothread." + number + ".poll-grow=0");
      lines.add("iothread." + number + ".poll-shrink=0");
    }
  }

  private static void cpuStats(VirshSession session, VshArguments arguments) throws IOException {
    LibvirtGuest guest = session.guest(arguments);
    String failed = "Failed to retrieve CPU statistics for domain '%s'".formatted(guest.name());
    try {
      Life life = guest.running();
      if (!arguments.has("total")) {
        throw new LibvirtError(
            "Operation not supported: operation 'getCpuacctPercpuUsage' not supported for backend"
                + " 'cgroup V2'");
      }
      CpuTime time = CpuTime.of(life);
      session.print("Total:\n");
      seconds(session, "cpu_time", time.total());
      seconds(session, "user_time", time.user());
      seconds(session, "system_time", time.system());
    } catch (LibvirtError refused) {
      throw new VirshFailure(failed, refused.getMessage());
    }
  }

  private static void seconds(VirshSession session, String name, long nanos) throws IOException {
    session.print("\t%-12s %9d.%09d seconds\n", name, nanos / 1_000_000_000, nanos % 1_000_000_000);
  }
}
