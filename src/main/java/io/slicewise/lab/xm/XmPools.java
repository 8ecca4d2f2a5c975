package io.slicewise.lab.xm;

import io.slicewise.lab.host.CpuSet;
import io.slicewise.lab.host.HypercallException;
import io.slicewise.lab.host.PoolState;
import io.slicewise.lab.shell.Invocation;
import java.io.IOException;
import java.util.List;

/** {@code xm cpupool-list}, {@code -migrate}, {@code -cpu-add}, {@code -cpu-remove}: 4.1 to 4.4. */
record XmPools(Xend xend) implements XmCommand {
  @Override
  public void run(Invocation invocation) throws IOException {
    List<String> arguments = invocation.arguments();
    String name = invocation.words().get(0);
    if (name.equals("cpupool-list")) {
      list(invocation);
      return;
    }
    if (arguments.size() != 2) {
      throw XmFailure.withUsage("Invalid number of arguments");
    }
    try {
      change(name, arguments.get(0), arguments.get(1));
    } catch (HypercallException refused) {
      throw XmFailure.plain(
          1, "(" + refused.errno().number() + ", '" + refused.errno().message() + "')");
    }
  }

  private void change(String name, String first, String second) {
    if (name.equals("cpupool-migrate")) {
      xend.hypercalls().moveDomain(xend.changed(first).id(), pool(second).id());
      return;
    }
    int pool = pool(first).id();
    for (int pcpu : CpuSet.parse(second, xend.hypercalls().pcpus())) {
      if (name.equals("cpupool-cpu-add")) {
        xend.hypercalls().addPcpu(pool, pcpu);
      } else {
        xend.hypercalls().removePcpu(pool, pcpu);
      }
    }
  }

  private PoolState pool(String name) {
    return xend.hypercalls().pools().stream()
        .filter(p -> p.name().equals(name))
        .findFirst()
        .orElseThrow(() -> XmFailure.plain(1, "Pool '" + name + "' does not exist."));
  }

  private void list(Invocation invocation) throws IOException {
    invocation.print("%s\n", "Name               CPUs   Sched     Active   Domain count");
    for (PoolState pool : xend.hypercalls().pools()) {
      long domains =
          xend.hypercalls().domains().stream().filter(d -> d.pool() == pool.id()).count();
      invocation.print(
          "%-16s   %3s  %8s       %s          %s\n",
          pool.name(), pool.pcpus().size(), pool.scheduler().xenName(), "y", domains);
    }
  }
}
