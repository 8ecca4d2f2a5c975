package io.slicewise.lab.xl;

import io.slicewise.lab.host.HostFacts;
import io.slicewise.lab.shell.Getopt;
import io.slicewise.lab.shell.Invocation;
import java.io.IOException;
import java.util.Map;

/** {@code xl info}, and from 4.8 {@code xl info KEY}, which matches by prefix; no topology. */
record XlInfo(Libxl libxl) implements XlCommand {
  @Override
  public int run(Invocation invocation) throws IOException {
    Getopt options = libxl.options(invocation, "nx", "numa=n");
    NotModelled.refuse("info", options, "nx");
    Map<String, String> facts = HostFacts.of(libxl.identity(), libxl.hypercalls(), true);
    String prefix =
        libxl.since(4, 8) && !options.operands().isEmpty() ? options.operands().get(0) : "";
    for (Map.Entry<String, String> fact : facts.entrySet()) {
      if (prefix.isEmpty()) {
        invocation.print("%-23s: %s\n", fact.getKey(), fact.getValue());
      } else if (fact.getKey().startsWith(prefix)) {
        invocation.print("%s\n", fact.getValue());
      }
    }
    return 0;
  }
}
