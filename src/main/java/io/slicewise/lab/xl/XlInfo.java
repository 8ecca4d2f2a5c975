package io.slicewise.lab.xl;

import io.slicewise.base.units.Phrase;
import io.slicewise.lab.host.HostFacts;
import io.slicewise.lab.shell.Getopt;
import io.slicewise.lab.shell.Invocation;
import io.slicewise.lab.shell.Program;
import java.io.IOException;
import java.util.Map;

/** {@code xl info}, and from 4.8 {@code xl info KEY}, which matches keys by prefix. */
record XlInfo(Libxl libxl) implements Program {
  @Override
  public int run(Invocation invocation) throws IOException {
    Getopt options = libxl.options(invocation, "nx", "numa=n");
    NotModelled.refuse("info", options, "x");
    Map<String, String> facts = HostFacts.of(libxl.identity(), libxl.hypercalls(), true);
    String prefix =
        libxl.since(4, 8) && !options.operands().isEmpty() ? options.operands().get(0) : "";
    for (Map.Entry<String, String> fact : facts.entrySet()) {
      if (options.has('n') && prefix.isEmpty() && fact.getKey().equals("xen_major")) {
        invocation.print("%s", topology(facts));
      }
      if (prefix.isEmpty()) {
        invocation.print("%-23s: %s\n", fact.getKey(), fact.getValue());
      } else if (fact.getKey().startsWith(prefix)) {
        invocation.print("%s\n", fact.getValue());
      }
    }
    return 0;
  }

  /** Returns the topology: one socket, one node. */
  private String topology(Map<String, String> facts) {
    StringBuilder text =
        new StringBuilder("cpu_topology           :\ncpu:    core    socket     node\n");
    for (int pcpu = 0; pcpu < libxl.hypercalls().pcpus(); pcpu++) {
      text.append(Phrase.of("%3d:    %4d     %4d     %4d%n", pcpu, pcpu, 0, 0));
    }
    text.append("device topology        :\ndevice           node\n");
    text.append("No device topology data available\nnuma_info              :\n");
    text.append("node:    memsize    memfree    distances\n");
    return text.append(
            Phrase.of(
                "%4d:    %6s     %6s      %d%n",
                0, facts.get("total_memory"), facts.get("free_memory"), 10))
        .toString();
  }
}
