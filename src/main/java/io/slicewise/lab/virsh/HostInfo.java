package io.slicewise.lab.virsh;

import java.io.IOException;
import java.util.List;

/** Commands that show the host. */
record HostInfo(String hostname, int megahertz, long memoryKib) {
  private static final String LINE = "%-20s %s\n";

  List<VirshCommand> commands() {
    return List.of(
        VirshCommand.of("version", HostInfo::version, VshOption.flag("daemon")),
        VirshCommand.of(
            "uri",
            (session, arguments) ->
                session.print(session.system() ? "qemu:///system\n" : "qemu:///session\n")),
        VirshCommand.of("hostname", (session, arguments) -> session.print("%s\n", hostname)),
        VirshCommand.of("nodeinfo", (session, arguments) -> node(session)));
  }

  private static void version(VirshSession session, VshArguments arguments) throws IOException {
    session.print(
        """
        Compiled against library: libvirt 9.0.0
        Using library: libvirt 9.0.0
        Using API: QEMU 9.0.0
        Running hypervisor: QEMU 7.2.22
        """);
    if (arguments.has("daemon")) {
      session.print("Running against daemon: 9.0.0\n");
    }
  }

  private void node(VirshSession session) throws IOException {
    int pcpus = session.daemon().pcpus();
    session.print(LINE, "CPU model:", "x86_64");
    session.print(LINE, "CPU(s):", pcpus);
    session.print(LINE, "CPU frequency:", megahertz + " MHz");
    session.print(LINE, "CPU socket(s):", 1);
    session.print(LINE, "Core(s) per socket:", pcpus);
    session.print(LINE, "Thread(s) per core:", 1);
    session.print(LINE, "NUMA cell(s):", 1);
    session.print(LINE, "Memory size:", memoryKib + " KiB");
  }
}
