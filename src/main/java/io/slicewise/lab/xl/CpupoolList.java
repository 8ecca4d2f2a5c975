package io.slicewise.lab.xl;

import io.slicewise.base.units.Phrase;
import io.slicewise.lab.host.PoolState;
import io.slicewise.lab.shell.Getopt;
import io.slicewise.lab.shell.Invocation;
import io.slicewise.lab.shell.Program;
import java.io.IOException;
import java.util.List;
import java.util.stream.Collectors;

/** {@code xl cpupool-list [-c] [POOL]}. A pool is given by name, never by number. */
record CpupoolList(Libxl libxl) implements Program {
  @Override
  public int run(Invocation invocation) throws IOException {
    Getopt options = libxl.options(invocation, "c", "cpus=c");
    List<PoolState> pools = libxl.hypercalls().pools();
    if (!options.operands().isEmpty()) {
      String name = options.operands().get(0);
      pools = pools.stream().filter(p -> p.name().equals(name)).toList();
      if (pools.isEmpty()) {
        throw new XlFailure(libxl.since(4, 6) ? 1 : 3, "Pool '" + name + "' does not exist\n");
      }
    }
    boolean cpus = options.has('c');
    invocation.print(
        "%-19s%s\n", "Name", cpus ? "CPU list" : "CPUs   Sched     Active   Domain count");
    for (PoolState pool : pools) {
      invocation.print("%-19s%s\n", pool.name(), cpus ? cpus(pool) : summary(pool));
    }
    return 0;
  }

  private static String cpus(PoolState pool) {
    return pool.pcpus().stream().map(String::valueOf).collect(Collectors.joining(","));
  }

  private String summary(PoolState pool) {
    long domains = libxl.hypercalls().domains().stream().filter(d -> d.pool() == pool.id()).count();
    return Phrase.of(
        "%3d %9s       y       %4d", pool.pcpus().size(), pool.scheduler().xenName(), domains);
  }
}
