package io.slicewise.lab.xl;

import io.slicewise.lab.host.CpuSet;
import io.slicewise.lab.host.DomainState;
import io.slicewise.lab.host.HypercallException;
import io.slicewise.lab.shell.Getopt;
import io.slicewise.lab.shell.Invocation;
import io.slicewise.lab.shell.Program;
import java.io.IOException;
import java.util.List;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * {@code xl vcpu-pin DOM VCPU|all HARD [SOFT]}, soft affinity from 4.5. A dash leaves an affinity
 * unchanged.
 */
record VcpuPin(Libxl libxl) implements Program {
  @Override
  public int run(Invocation invocation) throws IOException {
    Getopt options = libxl.options(invocation, "f", "force=f");
    List<String> operands = options.operands();
    if (operands.size() < 3) {
      throw new XlFailure(
          libxl.since(4, 7) ? 1 : 2, "'xl vcpu-pin' requires at least 3 arguments.\n\n");
    }
    DomainState domain = libxl.domain(operands.get(0));
    Optional<NavigableSet<Integer>> hard = affinity("hard", operands.get(2));
    Optional<NavigableSet<Integer>> soft =
        libxl.since(4, 5) && operands.size() > 3
            ? affinity("soft", operands.get(3))
            : Optional.empty();
    IntStream vcpus =
        operands.get(1).equals("all")
            ? IntStream.range(0, domain.vcpus().size())
            : IntStream.of(vcpu(operands.get(1)));
    vcpus.forEach(vcpu -> set(domain, vcpu, hard, soft));
    return 0;
  }

  private Optional<NavigableSet<Integer>> affinity(String kind, String text) {
    if (libxl.since(4, 5) && text.equals("-")) {
      return Optional.empty();
    }
    NavigableSet<Integer> pcpus = pcpus(text);
    if (pcpus.isEmpty()) {
      throw new XlFailure(1, "vcpu " + kind + " affinity map is empty\n");
    }
    return Optional.of(pcpus);
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

  private void set(
      DomainState domain,
      int vcpu,
      Optional<NavigableSet<Integer>> hard,
      Optional<NavigableSet<Integer>> soft) {
    try {
      hard.ifPresent(pcpus -> libxl.hypercalls().pin(domain.id(), vcpu, pcpus));
      soft.ifPresent(pcpus -> libxl.hypercalls().prefer(domain.id(), vcpu, pcpus));
    } catch (HypercallException refused) {
      String log =
          libxl.log(
              "libxl_sched",
              62,
              "libxl__set_vcpuaffinity",
              domain.id(),
              "Setting vcpu affinity: " + refused.errno().message());
      throw new XlFailure(libxl.fail(), log + "Could not set affinity for vcpu `" + vcpu + "'.\n");
    }
  }
}
