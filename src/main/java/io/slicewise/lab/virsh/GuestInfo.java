package io.slicewise.lab.virsh;

import io.slicewise.lab.libvirt.Definition;
import io.slicewise.lab.libvirt.LibvirtGuest;
import io.slicewise.lab.libvirt.Libvirtd;
import io.slicewise.lab.libvirt.Life;
import io.slicewise.lab.virsh.PinCommands.Affinity;
import io.slicewise.lab.virsh.VirshProgram.VirshCommand;
import io.slicewise.lab.virsh.VshArguments.Impact;
import io.slicewise.lab.virsh.VshArguments.VshOption;
import java.io.IOException;
import java.util.List;

/** Commands that show a guest's properties and activity. */
final class GuestInfo {
  private static final String LINE = "%-15s %s\n";

  private GuestInfo() {}

  static List<VirshCommand> commands() {
    return List.of(
        VirshCommand.of(
            "domid",
            (session, arguments) -> {
              LibvirtGuest guest = session.guest(arguments, Libvirtd.Key.UUID, Libvirtd.Key.NAME);
              session.print(
                  "%s\n", guest.life().map(life -> String.valueOf(life.id())).orElse("-"));
            },
            VshOption.domain()),
        VirshCommand.of(
            "domuuid",
            (session, arguments) ->
                session.print(
                    "%s\n", session.guest(arguments, Libvirtd.Key.ID, Libvirtd.Key.NAME).uuid()),
            VshOption.domain()),
        VirshCommand.of("domstate", GuestInfo::state, VshOption.domain(), VshOption.flag("reason")),
        VirshCommand.withImpact(
            "vcpucount",
            GuestInfo::vcpuCount,
            VshOption.domain(),
            VshOption.flag("maximum"),
            VshOption.flag("active")),
        VirshCommand.of(
            "vcpuinfo", GuestInfo::vcpuInfo, VshOption.domain(), VshOption.flag("pretty")),
        VirshCommand.withImpact("iothreadinfo", GuestInfo::iothreads, VshOption.domain()));
  }

  private static void state(VirshSession session, VshArguments arguments) throws IOException {
    LibvirtGuest guest = session.guest(arguments);
    session.print(
        "%s%s\n", guest.state().text(), arguments.has("reason") ? " (" + guest.reason() + ")" : "");
  }

  private static void vcpuCount(VirshSession session, VshArguments arguments) throws IOException {
    Impact.check(arguments);
    LibvirtGuest guest = session.guest(arguments);
    if (arguments.has("maximum") || arguments.has("active")) {
      Impact impact = Impact.of(arguments, guest);
      Definition definition = impact.live() ? guest.current() : guest.config().orElseThrow();
      int count = arguments.has("maximum") ? definition.most() : definition.vcpus();
      session.print("%d\n", count);
      return;
    }
    for (String which : List.of("maximum", "current")) {
      if (guest.config().isPresent()) {
        session.print(
            "%-12s %-12s %3d\n", which, "config", count(which, guest.config().orElseThrow()));
      }
      if (guest.life().isPresent()) {
        session.print("%-12s %-12s %3d\n", which, "live", count(which, guest.current()));
      }
    }
  }

  private static int count(String which, Definition definition) {
    return which.equals("maximum") ? definition.most() : definition.vcpus();
  }

  private static void vcpuInfo(VirshSession session, VshArguments arguments) throws IOException {
    LibvirtGuest guest = session.guest(arguments);
    boolean pretty = arguments.has("pretty");
    for (int vcpu = 0; vcpu < guest.current().vcpus(); vcpu++) {
      session.print(vcpu > 0 ? "\n" : "");
      session.print(LINE, "VCPU:", vcpu);
      if (guest.life().isPresent()) {
        Life life = guest.running();
        session.print(LINE, "CPU:", life.pcpu(vcpu));
        session.print(LINE, "State:", "running");
        session.print("%-15s %.1fs\n", "CPU time:", life.times(vcpu).runningNanos() / 1e9);
      } else {
        session.print(LINE, "CPU:", "N/A");
        session.print(LINE, "State:", "N/A");
        session.print(LINE, "CPU time", "N/A");
      }
      Affinity on = Affinity.of(guest.current().pin(vcpu), session);
      session.print(LINE, "CPU Affinity:", pretty ? on.pretty() : on.letters());
    }
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
      table.add("" + (thread + 1), Affinity.of(definition.ioPin(thread), session).ranges());
    }
    session.print("%s", table.text());
  }
}
