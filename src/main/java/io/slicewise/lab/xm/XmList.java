package io.slicewise.lab.xm;

import io.slicewise.base.units.Phrase;
import io.slicewise.lab.host.CpuSet;
import io.slicewise.lab.host.DomainState;
import io.slicewise.lab.host.VcpuState;
import io.slicewise.lab.shell.Getopt;
import io.slicewise.lab.shell.Invocation;
import io.slicewise.lab.sim.Runstate;
import java.io.IOException;
import java.util.List;

/**
 * {@code xm list} with {@code --state} and, from 4.1, {@code --pool}, and {@code xm vcpu-list}. All
 * domains here run; none is halted, paused or suspended.
 */
record XmList(Xend xend) implements XmCommand {
  @Override
  public void run(Invocation invocation) throws IOException {
    Getopt options = options(invocation);
    List<DomainState> domains =
        options.last('s').filter(state -> !state.equals("running")).isPresent()
            ? List.of()
            : selected(options.operands());
    boolean wideIds = xend.since(3, 2);
    invocation.print(
        wideIds ? "%-40s %5s %5s %5s %10s %9s\n" : "%-40s %3s %5s %5s %10s %9s\n",
        "Name",
        "ID",
        "Mem",
        "VCPUs",
        "State",
        "Time(s)");
    for (DomainState domain : domains) {
      if (options.last('P').isEmpty()
          || options.last('P').get().equals(xend.pool(domain.pool()).name())) {
        invocation.print(
            wideIds ? "%-40s %5d %5d %5d %10s %8.1f\n" : "%-40s %3d %5d %5d %10s %8.1f\n",
            domain.name(),
            domain.id(),
            domain.memoryKib() / 1024,
            domain.vcpus().size(),
            state(domain),
            domain.runNanos() / 1e9);
      }
    }
  }

  private Getopt options(Invocation invocation) {
    String longs = "state=s:" + (xend.since(4, 1) ? " pool=P:" : "");
    return PythonOptions.parse(invocation.arguments(), "", longs);
  }

  private List<DomainState> selected(List<String> selectors) {
    return selectors.isEmpty()
        ? xend.hypercalls().domains()
        : selectors.stream().map(this::named).toList();
  }

  private DomainState named(String selector) {
    return xend.find(selector)
        .orElseThrow(
            () ->
                XmFailure.plain(
                    xend.since(3, 4) ? 3 : 1, "Domain '" + selector + "' does not exist."));
  }

  private static String state(DomainState domain) {
    if (domain.crashed()) {
      return "----c-";
    }
    return domain.running() ? "r-----" : domain.blocked() ? "-b----" : "------";
  }

  void vcpus(Invocation invocation) throws IOException {
    invocation.print(
        "%-32s %5s %5s %5s %5s %9s %s\n",
        "Name", "ID", "VCPU", "CPU", "State", "Time(s)", "CPU Affinity");
    int all = xend.hypercalls().pcpus();
    for (DomainState domain : selected(invocation.arguments())) {
      for (VcpuState vcpu : domain.vcpus()) {
        String affinity = CpuSet.text(vcpu.affinity(), all);
        invocation.print(
            "%-32s %5d %5d %5d %5s %9.1f %s\n",
            domain.name(),
            domain.id(),
            vcpu.id(),
            vcpu.pcpu(),
            letters(vcpu),
            vcpu.runNanos() / 1e9,
            affinity.equals("all") ? "any cpu" : affinity);
      }
    }
  }

  private static String letters(VcpuState vcpu) {
    char running = vcpu.runstate() == Runstate.RUNNING ? 'r' : '-';
    char blocked = vcpu.runstate() == Runstate.BLOCKED ? 'b' : '-';
    return Phrase.of("%c%c-", running, blocked);
  }
}
