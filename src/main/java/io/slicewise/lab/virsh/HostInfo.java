package io.slicewise.lab.virsh;

import java.io.IOException;
import java.util.List;

/** Commands that show the host. */
record HostInfo(String hostname, int megahertz, long memoryKib) {
  private static final String LINE = "%-20s %s\n";

  List<VirshCommand> commands() {
    return List.of(
        VirshCommand.of(
            "version",
            "show version",
            HostInfo::version,
            VshOption.flag("daemon", "report daemon version too")),
        VirshCommand.of(
            "uri",
            "print the hypervisor canonical URI",
            (session, arguments) ->
                session.print(session.system() ? "qemu:///system\n" : "qemu:///session\n")),
        VirshCommand.of(
            "hostname",
            "print the hypervisor hostname",
            (session, arguments) -> session.print("%s\n", hostname)),
        VirshCommand.of("nodeinfo", "node information", (session, arguments) -> node(session)),
        VirshCommand.of(
            "nodecpumap",
            "node cpu map",
            HostInfo::cpuMap,
            VshOption.flag("pretty", "return human readable output")),
        VirshCommand.of(
            "capabilities", "capabilities", (session, arguments) -> capabilities(session)),
        VirshCommand.of(
            "maxvcpus",
            "connection vcpu maximum",
            (session, arguments) -> session.print("16\n"),
            VshOption.text("type", "domain type")));
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

  private static void cpuMap(VirshSession session, VshArguments arguments) throws IOException {
    int pcpus = session.daemon().pcpus();
    String all = pcpus == 1 ? "0" : "0-" + (pcpus - 1);
    session.print("%-15s %d\n", "CPUs present:", pcpus);
    session.print("%-15s %d\n", "CPUs online:", pcpus);
    session.print("%-15s %s\n", "CPU map:", arguments.has("pretty") ? all : "y".repeat(pcpus));
  }

  private void capabilities(VirshSession session) throws IOException {
    int pcpus = session.daemon().pcpus();
    StringBuilder cpus = new StringBuilder();
    for (int pcpu = 0; pcpu < pcpus; pcpu++) {
      cpus.append(
          "            <cpu id='%1$d' socket_id='0' die_id='0' core_id='%1$d' siblings='%1$d'/>%n"
              .formatted(pcpu));
    }
    session.print(
        "%s",
        """
        <capabilities>

          <host>
            <cpu>
              <arch>x86_64</arch>
              <topology sockets='1' dies='1' cores='%1$d' threads='1'/>
            </cpu>
            <topology>
              <cells num='1'>
                <cell id='0'>
                  <memory unit='KiB'>%2$d</memory>
                  <cpus num='%1$d'>
        %3$s          </cpus>
                </cell>
              </cells>
            </topology>
          </host>

          <guest>
            <os_type>hvm</os_type>
            <arch name='x86_64'>
              <wordsize>64</wordsize>
              <emulator>/usr/bin/qemu-system-x86_64</emulator>
              <domain type='qemu'/>
            </arch>
          </guest>

        </capabilities>
        """
            .formatted(pcpus, memoryKib, cpus));
  }
}
