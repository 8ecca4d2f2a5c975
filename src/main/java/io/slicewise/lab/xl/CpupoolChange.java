package io.slicewise.lab.xl;

import io.slicewise.lab.host.CpuSet;
import io.slicewise.lab.host.DomainState;
import io.slicewise.lab.host.Hypercalls.PoolState;
import io.slicewise.lab.shell.Getopt;
import io.slicewise.lab.shell.Invocation;
import io.slicewise.lab.shell.Program;
import io.slicewise.lab.sim.HypervisorRefusal;
import io.slicewise.lab.xl.Libxl.XlFailure;
import java.io.IOException;
import java.util.List;
import java.util.function.IntConsumer;

/** The subcommands that change a cpupool: destroy, cpu-add, cpu-remove and migrate. */
record CpupoolChange(Libxl libxl) implements Program {
  @Override
  public int run(Invocation invocation) throws IOException {
    String name = invocation.words().get(0);
    Getopt options = libxl.options(invocation, "", "");
    List<String> arguments =
        libxl.operands(invocation, options, name.equals("cpupool-destroy") ? 1 : 2);
    switch (name) {
      case "cpupool-destroy" -> destroy(arguments.get(0));
      case "cpupool-cpu-add" -> {
        int id = pool(arguments.get(0)).id();
        each(invocation, arguments, Move.ADD, pcpu -> libxl.hypercalls().addPcpu(id, pcpu));
      }
      case "cpupool-cpu-remove" -> {
        int id = pool(arguments.get(0)).id();
        each(invocation, arguments, Move.REMOVE, pcpu -> libxl.hypercalls().removePcpu(id, pcpu));
      }
      default -> migrate(arguments.get(0), arguments.get(1));
    }
    return 0;
  }

  private PoolState pool(String selector) {
    return libxl.poolOrFail(selector, libxl.fail());
  }

  private void destroy(String selector) {
    try {
      libxl.hypercalls().destroyPool(pool(selector).id());
    } catch (HypervisorRefusal refused) {
      throw new XlFailure(
          libxl.fail(),
          pool(selector).id() == 0 || inUse(selector)
              ? "Can't destroy cpupool '" + selector + "'\n"
              : libxl.log(
                      "libxl_cpupool", 227, "libxl_cpupool_destroy", 0, "Could not destroy cpupool")
                  + "Can't destroy cpupool '"
                  + selector
                  + "'\n");
    }
  }

  /**
   * Returns whether the pool contains domains. libxl checks this before it calls the hypervisor,
   * and logs nothing.
   */
  private boolean inUse(String selector) {
    int id = pool(selector).id();
    return libxl.hypercalls().domains().stream().anyMatch(domain -> domain.pool() == id);
  }

  /**
   * Applies a change to each pCPU. Failures are reported on standard error, but the command still
   * succeeds.
   */
  private void each(Invocation invocation, List<String> arguments, Move move, IntConsumer call)
      throws IOException {
    boolean all = true;
    for (int pcpu : CpuSet.parse(arguments.get(1), libxl.hypercalls().pcpus())) {
      try {
        call.accept(pcpu);
      } catch (HypervisorRefusal refused) {
        all = false;
        String text = move.words.formatted(pcpu) + ": " + refused.errno().message();
        invocation.complain("%s", libxl.log("libxl_cpupool", move.line, move.function, 0, text));
      }
    }
    if (!all) {
      invocation.complain("%s", move.partial.replace("%s", arguments.get(0)));
    }
  }

  private enum Move {
    ADD(
        302,
        "libxl_cpupool_cpuadd",
        "Error moving cpu %d to cpupool",
        "some cpus may not have been added to %s\n"),
    REMOVE(
        365,
        "libxl_cpupool_cpuremove",
        "Error removing cpu %d from cpupool",
        """
        Some cpus may have not or only partially been removed from '%s'.
        If a cpu can't be added to another cpupool, add it to '%s' again and retry.
        """);

    private final int line;
    private final String function;
    private final String words;
    private final String partial;

    Move(int line, String function, String words, String partial) {
      this.line = line;
      this.function = function;
      this.words = words;
      this.partial = partial;
    }
  }

  private void migrate(String domainSelector, String poolSelector) {
    DomainState domain =
        libxl
            .find(domainSelector)
            .orElseThrow(
                () -> new XlFailure(libxl.fail(), "unknown domain '" + domainSelector + "'\n"));
    PoolState pool = pool(poolSelector);
    try {
      libxl.hypercalls().moveDomain(domain.id(), pool.id());
    } catch (HypervisorRefusal refused) {
      throw new XlFailure(
          libxl.fail(),
          libxl.log(
              "libxl_cpupool",
              437,
              "libxl_cpupool_movedomain",
              0,
              "Error moving domain to cpupool"));
    }
  }
}
