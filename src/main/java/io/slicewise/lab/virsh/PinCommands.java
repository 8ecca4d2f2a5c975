package io.slicewise.lab.virsh;

import io.slicewise.lab.host.CpuSet;
import io.slicewise.lab.libvirt.Definition;
import io.slicewise.lab.libvirt.LibvirtGuest;
import io.slicewise.lab.libvirt.Libvirtd.LibvirtError;
import io.slicewise.lab.libvirt.Life;
import io.slicewise.lab.virsh.VirshProgram.VirshCommand;
import io.slicewise.lab.virsh.VirshProgram.VirshFailure;
import io.slicewise.lab.virsh.VshArguments.Impact;
import io.slicewise.lab.virsh.VshArguments.VshOption;
import java.io.IOException;
import java.util.List;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * {@code vcpupin}, {@code emulatorpin}, {@code iothreadpin} and {@code iothreadinfo}; {@code
 * vcpucount} and {@code setvcpus} for what a guest's agent reports and does.
 */
final class PinCommands {
  private PinCommands() {}

  static List<VirshCommand> commands() {
    return List.of(
        VirshCommand.of(
            "vcpucount",
            (session, arguments) -> session.print("%d\n", agent(session, arguments).online()),
            VshOption.domain(),
            VshOption.flag("guest")),
        VirshCommand.of(
            "setvcpus",
            PinCommands::setVcpus,
            VshOption.domain(),
            VshOption.number("count", true),
            VshOption.flag("guest")),
        VirshCommand.withImpact(
            "vcpupin",
            PinCommands::vcpuPin,
            VshOption.domain(),
            VshOption.number("vcpu", true),
            VshOption.text("cpulist")),
        VirshCommand.withImpact(
            "emulatorpin", PinCommands::emulatorPin, VshOption.domain(), VshOption.text("cpulist")),
        VirshCommand.withImpact(
            "iothreadpin",
            PinCommands::iothreadPin,
            VshOption.domain(),
            VshOption.number("iothread", true),
            VshOption.text("cpulist")),
        VirshCommand.withImpact("iothreadinfo", PinCommands::iothreads, VshOption.domain()));
  }

  /** Returns the guest whose agent answers, as long as it is not paused. */
  private static Life agent(VirshSession session, VshArguments arguments) {
    if (!arguments.has("guest")) {
      throw new VirshFailure("vCPUs are not plugged in or unplugged by this lab: add --guest");
    }
    LibvirtGuest guest = session.guest(arguments);
    if (guest.state() != LibvirtGuest.State.RUNNING) {
      throw LibvirtError.notRunning();
    }
    return guest.running();
  }

  private static void setVcpus(VirshSession session, VshArguments arguments) {
    Life life = agent(session, arguments);
    int count = arguments.number("count").orElseThrow();
    int most = life.asked().vcpus();
    if (count < 1 || count > most) {
      throw new LibvirtError(
          "invalid argument: requested vcpu count is greater than the count of enabled vcpus in"
              + " the domain: %d > %d".formatted(count, most));
    }
    life.setOnline(count);
  }

  private static void vcpuPin(VirshSession session, VshArguments arguments) throws IOException {
    Impact.check(arguments);
    Optional<String> list = arguments.text("cpulist");
    OptionalInt vcpu = arguments.number("vcpu");
    if (list.isPresent() && vcpu.isEmpty()) {
      throw new VirshFailure("vcpupin: Missing vCPU number in pin mode.");
    }
    LibvirtGuest guest = session.guest(arguments);
    if (list.isEmpty()) {
      query(session, arguments, guest, vcpu);
      return;
    }
    String on = typed(list.get(), session);
    Impact impact = Impact.of(arguments, guest);
    session.daemon().pin(guest, vcpu.getAsInt(), on, impact.live(), impact.config());
  }

  private static void query(
      VirshSession session, VshArguments arguments, LibvirtGuest guest, OptionalInt only)
      throws IOException {
    Definition definition = definition(arguments, guest);
    if (only.isPresent() && only.getAsInt() >= definition.most()) {
      throw new VirshFailure(
          "vcpu %d is out of range of %s cpu count %d"
              .formatted(
                  only.getAsInt(),
                  guest.life().isPresent() && !arguments.has("config") ? "live" : "persistent",
                  definition.most()));
    }
    VshTable table = new VshTable("VCPU", "CPU Affinity");
    for (int vcpu = 0; vcpu < definition.most(); vcpu++) {
      if (only.isEmpty() || only.getAsInt() == vcpu) {
        table.add("" + vcpu, ranges(definition.pin(vcpu), session));
      }
    }
    session.print("%s", table.text());
  }

  private static Definition definition(VshArguments arguments, LibvirtGuest guest) {
    return Impact.of(arguments, guest).live()
        ? guest.running().asked()
        : guest.config().orElseThrow();
  }

  private static void emulatorPin(VirshSession session, VshArguments arguments) throws IOException {
    Impact.check(arguments);
    LibvirtGuest guest = session.guest(arguments);
    Optional<String> list = arguments.text("cpulist");
    if (list.isEmpty()) {
      session.extra("emulator: CPU Affinity\n----------------------------------\n");
      session.print("       *: %s\n", ranges(definition(arguments, guest).emulatorPin(), session));
      return;
    }
    String on = typed(list.get(), session);
    Impact impact = Impact.of(arguments, guest);
    session.daemon().pinEmulator(guest, on, impact.live(), impact.config());
  }

  private static void iothreadPin(VirshSession session, VshArguments arguments) throws IOException {
    Impact.check(arguments);
    LibvirtGuest guest = session.guest(arguments);
    int thread = arguments.number("iothread").orElseThrow();
    String on = typed(arguments.text("cpulist").orElseThrow(), session);
    Impact impact = Impact.of(arguments, guest);
    if (thread < 1 || thread > definition(arguments, guest).iothreads()) {
      throw new LibvirtError("invalid argument: iothread %d not found".formatted(thread));
    }
    session.daemon().pinIoThread(guest, thread - 1, on, impact.live(), impact.config());
  }

  private static void iothreads(VirshSession session, VshArguments arguments) throws IOException {
    Impact.check(arguments);
    LibvirtGuest guest = session.guest(arguments);
    boolean live = Impact.of(arguments, guest).live();
    Definition definition = live ? guest.current() : guest.config().orElseThrow();
    if (definition.iothreads() == 0) {
      session.extra("No IOThreads found for the domain");
      return;
    }
    VshTable table = new VshTable("IOThread ID", "CPU Affinity");
    for (int thread = 0; thread < definition.iothreads(); thread++) {
      table.add("" + (thread + 1), ranges(definition.ioPin(thread), session));
    }
    session.print("%s", table.text());
  }

  /** Returns the pCPUs of a thread with that pinning, or all if it is not pinned. */
  private static String ranges(Optional<String> pin, VirshSession session) {
    return CpuSet.ranges(CpuSet.parse(pin.orElse("all"), session.daemon().pcpus()));
  }

  /** Parses a list of pCPUs as typed by a user; {@code r} means all. */
  private static String typed(String text, VirshSession session) {
    int all = session.daemon().pcpus();
    if (text.equals("r")) {
      return "0-" + (all - 1);
    }
    NavigableSet<Integer> read;
    try {
      read = CpuSet.parse(text, Integer.MAX_VALUE >> 16);
    } catch (NumberFormatException noNumber) {
      throw new VirshFailure(
          "Invalid cpulist '" + text + "'",
          "invalid argument: Failed to parse bitmap '" + text + "'");
    }
    if (read.isEmpty() || text.contains("all")) {
      throw new VirshFailure(
          "Invalid cpulist '" + text + "'",
          "invalid argument: Failed to parse bitmap '" + text + "'");
    }
    if (read.last() >= all) {
      throw new VirshFailure(
          "CPU %d in cpulist '%s' exceed the maxcpu %d".formatted(read.last(), text, all));
    }
    return CpuSet.ranges(read);
  }
}
