package io.slicewise.lab.virsh;

import io.slicewise.lab.libvirt.LibvirtGuest;
import io.slicewise.lab.libvirt.Life;
import io.slicewise.lab.virsh.VirshProgram.VirshCommand;
import io.slicewise.lab.virsh.VshArguments.VshOption;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/** {@code domstats}: the groups {@code state}, {@code cpu-total} and {@code vcpu}. */
final class StatsCommand {
  private static final long TICK_NANOS = 10_000_000;
  private static final List<String> GROUPS = List.of("state", "cpu-total", "vcpu");

  private StatsCommand() {}

  static VirshCommand command() {
    List<VshOption> options = new ArrayList<>();
    GROUPS.forEach(group -> options.add(VshOption.flag(group)));
    options.add(VshOption.rest("domain"));
    return VirshCommand.of("domstats", StatsCommand::stats, options.toArray(VshOption[]::new));
  }

  private static void stats(VirshSession session, VshArguments arguments) throws IOException {
    List<LibvirtGuest> guests =
        arguments.has("domain")
            ? arguments.rest("domain").stream().map(session::guest).toList()
            : session.daemon().guests();
    boolean all = GROUPS.stream().noneMatch(arguments::has);
    boolean first = true;
    for (LibvirtGuest guest : guests) {
      if (!first) {
        session.extra("\n");
      }
      first = false;
      session.print("Domain: '%s'\n", guest.name());
      for (String line : lines(session, group -> all || arguments.has(group), guest)) {
        session.print("  %s\n", line);
      }
    }
  }

  private static List<String> lines(
      VirshSession session, Predicate<String> shown, LibvirtGuest guest) {
    List<String> lines = new ArrayList<>();
    if (shown.test("state")) {
      lines.add("state.state=" + guest.state().number());
      lines.add("state.reason=" + guest.reasonNumber());
    }
    if (shown.test("cpu-total")) {
      cpu(lines, session, guest);
    }
    if (shown.test("vcpu")) {
      vcpus(lines, guest);
    }
    return lines;
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
    long total = guest.running().cpuNanos() / 1000 * 1000; // the control group's, in microseconds
    long system = total / 10_000 * 1000;
    lines.add("cpu.time=" + total);
    lines.add("cpu.user=" + (total - system));
    lines.add("cpu.system=" + system);
    lines.add("cpu.cache.monitor.count=0");
    lines.add("cpu.haltpoll.success.time=0");
    lines.add("cpu.haltpoll.fail.time=0");
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
}
