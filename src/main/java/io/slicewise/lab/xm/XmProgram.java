package io.slicewise.lab.xm;

import io.slicewise.base.units.Phrase;
import io.slicewise.lab.host.CpuSet;
import io.slicewise.lab.host.DomainState;
import io.slicewise.lab.host.DomainState.VcpuState;
import io.slicewise.lab.host.HostFacts;
import io.slicewise.lab.host.Hypercalls;
import io.slicewise.lab.host.Hypercalls.HypercallException;
import io.slicewise.lab.host.MachineIdentity;
import io.slicewise.lab.host.PoolState;
import io.slicewise.lab.shell.Getopt;
import io.slicewise.lab.shell.Invocation;
import io.slicewise.lab.shell.Program;
import io.slicewise.lab.sim.Runstate;
import io.slicewise.lab.xm.Xend.PythonOptions;
import io.slicewise.lab.xm.Xend.XmCommand;
import io.slicewise.lab.xm.Xend.XmFailure;
import io.slicewise.profile.Scheduler;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;

/** The {@code xm} command. Errors go to standard error, a command's usage to standard output. */
public final class XmProgram implements Program {
  private final Xend xend;
  private final Map<String, XmCommand> commands = new TreeMap<>();

  public XmProgram(Hypercalls hypercalls, MachineIdentity identity) {
    this.xend = new Xend(hypercalls, identity);
    XmList list = new XmList(xend);
    commands.put("list", list);
    commands.put("vcpu-list", list::vcpus);
    commands.put("vcpu-pin", this::pin);
    commands.put("info", this::info);
    commands.put("sched-credit", new XmSchedCredit(xend, Scheduler.CREDIT));
    commands.put("sched-sedf", new XmSchedSedf(xend));
    if (xend.since(4, 1)) {
      commands.put("sched-credit2", new XmSchedCredit(xend, Scheduler.CREDIT2));
      for (String name : List.of("list", "migrate", "cpu-add", "cpu-remove")) {
        commands.put("cpupool-" + name, new XmPools(xend));
      }
    }
  }

  @Override
  public int run(Invocation invocation) throws IOException {
    List<String> arguments = invocation.arguments();
    if (arguments.isEmpty()) {
      invocation.print("%s", usage());
      return 1;
    }
    String name = arguments.get(0);
    XmCommand command = commands.get(name);
    if (command == null) {
      invocation.complain("Error: Subcommand %s not found!\n", name);
      invocation.print("%s", usage());
      return 1;
    }
    try {
      command.run(invocation.withWords(arguments));
      return 0;
    } catch (XmFailure failure) {
      invocation.complain("Error: %s\n", failure.getMessage());
      if (failure.usage()) {
        invocation.print("Usage: xm %s\n", name);
      }
      return failure.status();
    }
  }

  private String usage() {
    return "Usage: xm <subcommand> [args]\n\nCommands here: "
        + String.join(", ", commands.keySet())
        + "\n";
  }

  private void info(Invocation invocation) throws IOException {
    for (var fact : HostFacts.of(xend.identity(), xend.hypercalls(), false).entrySet()) {
      invocation.print("%-23s: %s\n", fact.getKey(), fact.getValue());
    }
  }

  private void pin(Invocation invocation) {
    List<String> arguments = invocation.arguments();
    if (arguments.size() != 3) {
      throw XmFailure.withUsage("'xm vcpu-pin' requires 3 arguments.");
    }
    DomainState domain = xend.changed(arguments.get(0));
    IntStream vcpus =
        arguments.get(1).equals("all")
            ? IntStream.range(0, domain.vcpus().size())
            : IntStream.of(Xend.integer(arguments.get(1)));
    try {
      var pcpus = CpuSet.parse(arguments.get(2), xend.hypercalls().pcpus());
      vcpus.forEach(vcpu -> xend.hypercalls().pin(domain.id(), vcpu, pcpus));
    } catch (NumberFormatException notANumber) {
      throw XmFailure.withUsage("Invalid argument.");
    } catch (HypercallException refused) {
      throw XmFailure.plain(
          1, "(" + refused.errno().number() + ", '" + refused.errno().message() + "')");
    }
  }

  /**
   * {@code xm cpupool-list}, {@code -migrate}, {@code -cpu-add}, {@code -cpu-remove}: 4.1 to 4.4.
   */
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

  /**
   * {@code xm list} with {@code --state} and, from 4.1, {@code --pool}, and {@code xm vcpu-list}.
   * All domains here run; none is halted, paused or suspended.
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
}
