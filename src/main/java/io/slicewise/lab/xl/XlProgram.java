package io.slicewise.lab.xl;

import io.slicewise.base.units.Phrase;
import io.slicewise.lab.host.CpuSet;
import io.slicewise.lab.host.DomainState;
import io.slicewise.lab.host.HostFacts;
import io.slicewise.lab.host.Hypercalls;
import io.slicewise.lab.host.MachineIdentity;
import io.slicewise.lab.host.PoolState;
import io.slicewise.lab.host.VcpuState;
import io.slicewise.lab.shell.Getopt;
import io.slicewise.lab.shell.Invocation;
import io.slicewise.lab.shell.Program;
import io.slicewise.lab.sim.Runstate;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.IntConsumer;
import java.util.stream.Collectors;

/**
 * The {@code xl} command. On a host where {@code xend} runs, 4.2 to 4.4 refuse every subcommand
 * that may change something, including lists of scheduler parameters, unless {@code -f} is given.
 */
public final class XlProgram implements Program {
  private static final Set<String> READERS =
      Set.of("list", "info", "vcpu-list", "cpupool-list", "help");

  private static final String XEND_RUNS =
      """
      xend is running, which may cause unpredictable results when using
      this xl command.  Please shut down xend before continuing.

      (This check can be overridden with the -f option.)
      """;

  private final Libxl libxl;
  private final boolean xendRuns;
  private final Map<String, Program> commands;

  public XlProgram(Hypercalls hypercalls, MachineIdentity identity, boolean xendRuns) {
    this.libxl = new Libxl(hypercalls, identity);
    this.xendRuns = xendRuns;
    this.commands = commands();
  }

  private Map<String, Program> commands() {
    Map<String, Program> all = new TreeMap<>();
    all.put("list", new Listing(libxl));
    all.put("info", new XlInfo(libxl));
    all.put("vcpu-list", new VcpuList(libxl));
    all.put("vcpu-pin", new VcpuPin(libxl));
    all.put("help", this::help);
    all.put("pause", invocation -> change(invocation, libxl.hypercalls()::pause));
    all.put("unpause", invocation -> change(invocation, libxl.hypercalls()::unpause));
    all.put("destroy", invocation -> change(invocation, libxl.hypercalls()::destroyDomain));
    all.put("sched-credit", new SchedCredit(libxl));
    if (libxl.since(4, 2)) {
      all.put("sched-credit2", new SchedCredit2(libxl));
    }
    if (libxl.since(4, 2) && !libxl.since(4, 6)) {
      all.put("sched-sedf", new SchedSedf(libxl));
    }
    if (libxl.since(4, 5)) {
      all.put("sched-rtds", new SchedRtds(libxl));
    }
    all.put("cpupool-list", new CpupoolList(libxl));
    all.put("cpupool-create", new CpupoolCreate(libxl));
    for (String change : List.of("destroy", "cpu-add", "cpu-remove", "migrate")) {
      all.put("cpupool-" + change, new CpupoolChange(libxl));
    }
    return all;
  }

  @Override
  public int run(Invocation invocation) throws IOException, InterruptedException {
    List<String> arguments = invocation.arguments();
    boolean forced = false;
    while (!arguments.isEmpty() && arguments.get(0).matches("-[vfNtT]+")) {
      forced |= arguments.get(0).contains("f");
      arguments = arguments.subList(1, arguments.size());
    }
    if (arguments.isEmpty()) {
      help(invocation);
      return 1;
    }
    String name = arguments.get(0);
    Program command = commands.get(name);
    if (command == null) {
      invocation.complain("command not implemented\n");
      return 1;
    }
    if (refusedByXend(name, forced)) {
      invocation.complain(XEND_RUNS);
      return 1;
    }
    return answered(command, invocation.withWords(arguments));
  }

  private boolean refusedByXend(String name, boolean forced) {
    boolean checked = libxl.since(4, 2) && !libxl.since(4, 5);
    return xendRuns && checked && !forced && !READERS.contains(name);
  }

  private static int answered(Program command, Invocation invocation)
      throws IOException, InterruptedException {
    try {
      return command.run(invocation);
    } catch (XlFailure failure) {
      invocation.complain("%s", failure.getMessage());
      return failure.status();
    }
  }

  private int help(Invocation invocation) throws IOException {
    invocation.print("Commands here: %s\n", String.join(", ", commands.keySet()));
    return 0;
  }

  private int change(Invocation invocation, IntConsumer change) throws IOException {
    Getopt options = libxl.options(invocation, "", "");
    if (options.operands().isEmpty()) {
      throw new XlFailure(
          libxl.since(4, 7) ? 1 : 2,
          "'xl " + invocation.words().get(0) + "' requires at least 1 argument.\n\n");
    }
    change.accept(libxl.domain(options.operands().get(0)).id());
    return 0;
  }

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
      long domains =
          libxl.hypercalls().domains().stream().filter(d -> d.pool() == pool.id()).count();
      return Phrase.of(
          "%3d %9s       y       %4d", pool.pcpus().size(), pool.scheduler().xenName(), domains);
    }
  }

  /** {@code xl info}, and from 4.8 {@code xl info KEY}, which matches keys by prefix. */
  record XlInfo(Libxl libxl) implements Program {
    @Override
    public int run(Invocation invocation) throws IOException {
      Getopt options = libxl.options(invocation, "", "");
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
}
