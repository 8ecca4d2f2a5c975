package io.slicewise.lab.xl;

import io.slicewise.lab.host.CpuSet;
import io.slicewise.lab.host.DomainState;
import io.slicewise.lab.host.HypercallException;
import io.slicewise.lab.shell.Getopt;
import io.slicewise.lab.shell.Invocation;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.stream.IntStream;

/** {@code xl vcpu-pin DOM VCPU|all PCPUS|all}. */
record VcpuPin(Libxl libxl) implements XlCommand {
  @Override
  public int run(Invocation invocation) throws IOException {
    Getopt options = libxl.options(invocation, "f", Map.of("force", "f"));
    List<String> operands = options.operands();
    if (operands.size() < 3) {
      throw new XlFailure(
          libxl.since(4, 7) ? 1 : 2, "'xl vcpu-pin' requires at least 3 arguments.\n\n");
    }
    DomainState domain = libxl.domain(operands.get(0));
    NavigableSet<Integer> pcpus = pcpus(operands.get(2));
    if (pcpus.isEmpty()) {
      throw new XlFailure(1, "vcpu hard affinity map is empty\n");
    }
    if (operands.get(1).equals("all")) {
      IntStream.range(0, domain.vcpus().size()).forEach(vcpu -> pin(domain, vcpu, pcpus));
    } else {
      pin(domain, vcpu(operands.get(1)), pcpus);
    }
    return 0;
  }

  private NavigableSet<Integer> pcpus(String text) {
    try {
      return CpuSet.parse(text, libxl.hypercalls().pcpus());
    } catch (NumberFormatException notANumber) {
      throw new XlFailure(1, "Error: Invalid argument: " + text + "\n");
    }
  }

  private static int vcpu(String text) {
    try {
      return Integer.parseInt(text);
    } catch (NumberFormatException notANumber) {
      throw new XlFailure(1, "Error: Invalid argument " + text + " as VCPU.\n");
    }
  }

  private void pin(DomainState domain, int vcpu, NavigableSet<Integer> pcpus) {
    try {
      libxl.hypercalls().pin(domain.id(), vcpu, pcpus);
    } catch (HypercallException refused) {
      String log =
          libxl.log(
              "libxl_sched",
              62,
              "libxl__set_vcpuaffinity",
              domain.id(),
              "Setting vcpu affinity: " + refused.errno().words());
      throw new XlFailure(libxl.fail(), log + "Could not set affinity for vcpu `" + vcpu + "'.\n");
    }
  }
}
