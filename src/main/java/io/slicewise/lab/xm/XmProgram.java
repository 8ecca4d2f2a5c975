package io.slicewise.lab.xm;

import io.slicewise.lab.host.CpuSet;
import io.slicewise.lab.host.DomainState;
import io.slicewise.lab.host.HostFacts;
import io.slicewise.lab.host.HypercallException;
import io.slicewise.lab.host.Hypercalls;
import io.slicewise.lab.host.MachineIdentity;
import io.slicewise.lab.host.PoolState;
import io.slicewise.lab.shell.Invocation;
import io.slicewise.lab.shell.Program;
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
}
