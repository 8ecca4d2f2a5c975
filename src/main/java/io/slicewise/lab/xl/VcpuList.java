package io.slicewise.lab.xl;

import io.slicewise.base.units.Phrase;
import io.slicewise.lab.host.CpuSet;
import io.slicewise.lab.host.DomainState;
import io.slicewise.lab.host.VcpuState;
import io.slicewise.lab.shell.Getopt;
import io.slicewise.lab.shell.Invocation;
import io.slicewise.lab.shell.Program;
import io.slicewise.lab.sim.Runstate;
import java.io.IOException;
import java.util.List;

/** {@code xl vcpu-list}, with hard and soft affinity from 4.5. */
record VcpuList(Libxl libxl) implements Program {
  @Override
  public int run(Invocation invocation) throws IOException {
    Getopt options = libxl.options(invocation, "", "");
    String affinity = libxl.since(4, 5) ? "Affinity (Hard / Soft)" : "CPU Affinity";
    invocation.print(
        "%-32s %5s %5s %5s %5s %9s %s\n",
        "Name", "ID", "VCPU", "CPU", "State", "Time(s)", affinity);
    List<String> selectors = options.operands();
    if (selectors.isEmpty()) {
      for (DomainState domain : libxl.hypercalls().domains()) {
        print(invocation, domain);
      }
    }
    // Each is looked up in turn, after the rows of the previous ones are printed.
    for (String selector : selectors) {
      if (libxl.uncheckedNumber(selector) && libxl.find(selector).isEmpty()) {
        invocation.complain("%s", noInformation(Integer.parseInt(selector)));
      } else {
        print(invocation, libxl.domain(selector));
      }
    }
    return 0;
  }

  /** Returns the error for a domid that does not exist, which only libxl detects. */
  private String noInformation(int domid) {
    return libxl.log("libxl_domain", 1668, "libxl_list_vcpu", domid, "Getting infolist: Success");
  }

  private void print(Invocation invocation, DomainState domain) throws IOException {
    for (VcpuState vcpu : domain.vcpus()) {
      invocation.print(
          "%-32s %5d %5d%s%9.1f  %s\n",
          domain.name(),
          domain.id(),
          vcpu.id(),
          place(domain, vcpu),
          vcpu.runNanos() / 1e9,
          affinity(vcpu));
    }
  }

  private static String place(DomainState domain, VcpuState vcpu) {
    if (domain.crashed()) {
      return Phrase.of("%5c %3c%cp ", '-', '-', '-');
    }
    char running = vcpu.runstate() == Runstate.RUNNING ? 'r' : '-';
    char blocked = vcpu.runstate() == Runstate.BLOCKED ? 'b' : '-';
    return Phrase.of("%5d %3c%c- ", vcpu.pcpu(), running, blocked);
  }

  private String affinity(VcpuState vcpu) {
    int all = libxl.hypercalls().pcpus();
    String hard = CpuSet.text(vcpu.affinity(), all);
    return libxl.since(4, 5) ? hard + " / " + CpuSet.text(vcpu.preferred(), all) : hard;
  }
}
