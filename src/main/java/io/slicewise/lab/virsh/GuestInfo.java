package io.slicewise.lab.virsh;

import io.slicewise.lab.libvirt.Definition;
import io.slicewise.lab.libvirt.DomainXml;
import io.slicewise.lab.libvirt.LibvirtGuest;
import io.slicewise.lab.libvirt.Libvirtd;
import io.slicewise.lab.libvirt.Life;
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
            "convert a domain name or UUID to domain id",
            (session, arguments) -> {
              LibvirtGuest guest = session.guest(arguments, Libvirtd.Key.UUID, Libvirtd.Key.NAME);
              session.print(
                  "%s\n", guest.life().map(life -> String.valueOf(life.id())).orElse("-"));
            },
            VshOption.domain()),
        VirshCommand.of(
            "domname",
            "convert a domain id or UUID to domain name",
            (session, arguments) ->
                session.print(
                    "%s\n", session.guest(arguments, Libvirtd.Key.ID, Libvirtd.Key.UUID).name()),
            VshOption.domain()),
        VirshCommand.of(
            "domuuid",
            "convert a domain name or id to domain UUID",
            (session, arguments) ->
                session.print(
                    "%s\n", session.guest(arguments, Libvirtd.Key.ID, Libvirtd.Key.NAME).uuid()),
            VshOption.domain()),
        VirshCommand.of(
            "domstate",
            "domain state",
            GuestInfo::state,
            VshOption.domain(),
            VshOption.flag("reason", "also print reason for the state")),
        VirshCommand.of("dominfo", "domain information", GuestInfo::info, VshOption.domain()),
        VirshCommand.of(
            "dumpxml",
            "domain information in XML",
            (session, arguments) ->
                session.print(
                    "%s", DomainXml.of(session.guest(arguments), arguments.has("inactive"))),
            VshOption.domain(),
            VshOption.flag("inactive", "show inactive defined XML"),
            VshOption.flag("security-info", "include security sensitive information in XML dump"),
            VshOption.flag("update-cpu", "update guest CPU according to host CPU"),
            VshOption.flag("migratable", "provide XML suitable for migrations")),
        VirshCommand.of(
            "vcpucount",
            "domain vcpu counts",
            GuestInfo::vcpuCount,
            VshOption.domain(),
            VshOption.flag("maximum", "get maximum count of vcpus"),
            VshOption.flag("active", "get number of currently active vcpus"),
            VshOption.flag("live", "get value from running domain"),
            VshOption.flag("config", "get value to be used on next boot"),
            VshOption.flag("current", "get value according to current domain state")),
        VirshCommand.of(
            "vcpuinfo",
            "detailed domain vcpu information",
            GuestInfo::vcpuInfo,
            VshOption.domain(),
            VshOption.flag("pretty", "return human readable output")),
        VirshCommand.withImpact(
            "iothreadinfo", "view domain IOThreads", GuestInfo::iothreads, VshOption.domain()),
        VirshCommand.of(
            "domifaddr",
            "Get network interfaces' addresses for a running domain",
            GuestInfo::addresses,
            VshOption.domain(),
            VshOption.text("interface", "network interface name"),
            VshOption.named("source", "address source: 'lease', 'agent', or 'arp'")),
        VirshCommand.of(
            "domiflist",
            "list all domain virtual interfaces",
            (session, arguments) -> {
              LibvirtGuest unused = session.guest(arguments);
              session.print(
                  "%s", new VshTable("Interface", "Type", "Source", "Model", "MAC").text());
            },
            VshOption.domain(),
            VshOption.flag("inactive", "get inactive rather than running configuration")),
        VirshCommand.of(
            "domblklist",
            "list all domain blocks",
            (session, arguments) -> {
              LibvirtGuest unused = session.guest(arguments);
              session.print("%s", new VshTable("Target", "Source").text());
            },
            VshOption.domain(),
            VshOption.flag("inactive", "get inactive rather than running configuration"),
            VshOption.flag("details", "additionally display the type and device value")),
        VirshCommand.of(
            "numatune",
            "Get or set numa parameters",
            (session, arguments) -> {
              LibvirtGuest unused = session.guest(arguments);
              session.print("numa_mode      : strict\nnuma_nodeset   : \n");
            },
            VshOption.domain()),
        VirshCommand.of(
            "qemu-monitor-command",
            "QEMU Monitor Command",
            GuestInfo::monitor,
            VshOption.domain(),
            VshOption.flag("pretty", "pretty-print any qemu monitor protocol output"),
            VshOption.rest("cmd", "command")));
  }

  private static void state(VirshSession session, VshArguments arguments) throws IOException {
    LibvirtGuest guest = session.guest(arguments);
    session.print(
        "%s%s\n", guest.state().text(), arguments.has("reason") ? " (" + guest.reason() + ")" : "");
  }

  private static void info(VirshSession session, VshArguments arguments) throws IOException {
    LibvirtGuest guest = session.guest(arguments);
    Definition definition = guest.current();
    session.print(LINE, "Id:", guest.life().map(life -> "" + life.id()).orElse("-"));
    session.print(LINE, "Name:", guest.name());
    session.print(LINE, "UUID:", guest.uuid());
    session.print(LINE, "OS Type:", "hvm");
    session.print(LINE, "State:", guest.state().text());
    session.print(LINE, "CPU(s):", definition.vcpus());
    if (guest.life().isPresent()) {
      session.print("%-15s %.1fs\n", "CPU time:", guest.running().cpuNanos() / 1e9);
    }
    session.print(LINE, "Max memory:", definition.memoryKib() + " KiB");
    session.print(LINE, "Used memory:", definition.memoryKib() + " KiB");
    session.print(LINE, "Persistent:", guest.config().isPresent() ? "yes" : "no");
    session.print(LINE, "Autostart:", guest.autostart() ? "enable" : "disable");
    session.print(LINE, "Managed save:", guest.isSaved() ? "yes" : "no");
    session.print(LINE, "Security model:", "none");
    session.print(LINE, "Security DOI:", "0");
    String label = "Messages:";
    for (String taint : guest.taints()) {
      session.print(LINE, label, "tainted: " + taint);
      label = "";
    }
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
    Impact impact = Impact.of(arguments, guest);
    Definition definition = impact.live() ? guest.running().asked() : guest.config().orElseThrow();
    if (definition.iothreads() == 0) {
      session.extra("No IOThreads found for the domain");
      return;
    }
    VshTable table = new VshTable("IOThread ID", "CPU Affinity");
    for (int number = 1; number <= definition.iothreads(); number++) {
      table.add("" + number, Affinity.of(definition.iothreadPin(number), session).ranges());
    }
    session.print("%s", table.text());
  }

  private static void addresses(VirshSession session, VshArguments arguments) throws IOException {
    LibvirtGuest unused = session.guest(arguments);
    session.extra(
        " %-10s %-20s %-8s     %s\n%s\n",
        "Name", "MAC address", "Protocol", "Address", "-".repeat(79));
  }

  /** Prints the threads of the vCPUs, the only ones supported. */
  private static void monitor(VirshSession session, VshArguments arguments) throws IOException {
    session.throwIfReadOnly("virDomainQemuMonitorCommand");
    LibvirtGuest guest = session.guest(arguments);
    Life life = guest.running();
    guest.taints().add("custom monitor control commands issued");
    String command = String.join(" ", arguments.rest("cmd"));
    if (!command.contains("query-cpus-fast")) {
      throw new VirshFailure("qemu-monitor-command " + command + " is not modelled by this lab");
    }
    StringBuilder json = new StringBuilder("{\"return\":[");
    for (int vcpu = 0; vcpu < guest.current().vcpus(); vcpu++) {
      json.append(vcpu == 0 ? "" : ",")
          .append("{\"thread-id\":")
          .append(life.threadOf(vcpu))
          .append(",\"props\":{\"core-id\":0,\"thread-id\":0,\"node-id\":0,\"socket-id\":")
          .append(vcpu)
          .append("},\"cpu-index\":")
          .append(vcpu)
          .append(",\"target\":\"x86_64\"}");
    }
    session.print("%s\n", json + "],\"id\":\"libvirt-20\"}");
  }
}
