package io.slicewise.lab.xm;

import io.slicewise.base.units.Phrase;
import io.slicewise.lab.host.CpuSet;
import io.slicewise.lab.host.DomainState;
import io.slicewise.lab.host.DomainState.VcpuState;
import io.slicewise.lab.host.HostFacts;
import io.slicewise.lab.host.Hypercalls;
import io.slicewise.lab.host.Hypercalls.PoolState;
import io.slicewise.lab.host.MachineIdentity;
import io.slicewise.lab.shell.Getopt;
import io.slicewise.lab.shell.Invocation;
import io.slicewise.lab.shell.Program;
import io.slicewise.lab.sim.HypervisorRefusal;
import io.slicewise.lab.sim.Runstate;
import io.slicewise.lab.xm.Xend.PythonOptions;
import io.slicewise.lab.xm.Xend.XmCommand;
import io.slicewise.lab.xm.Xend.XmFailure;
import io.slicewise.profile.Credit;
import io.slicewise.profile.Scheduler;
import io.slicewise.profile.SchedulerParameters;
import io.slicewise.profile.Sedf;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** The {@code xm} command. Errors go to standard error, a command's usage to standard output. */
public final class XmProgram implements Program {
  private final Xend xend;
  private final Map<String, XmCommand> commands = new TreeMap<>();

  public XmProgram(Hypercalls hypercalls, MachineIdentity identity) {
    this.xend = new Xend(hypercalls, identity);
    XmList list = new XmList(xend);
    commands.put("list", list);
    commands.put("vcpu-list", list::vcpus);
    commands.put("info", this::info);
    commands.put("sched-credit", new XmSchedCredit(xend, Scheduler.CREDIT));
    commands.put("sched-sedf", new XmSchedSedf(xend));
    if (xend.since(4, 1)) {
      commands.put("sched-credit2", new XmSchedCredit(xend, Scheduler.CREDIT2));
      commands.put("cpupool-list", this::pools);
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

  private void pools(Invocation invocation) throws IOException {
    invocation.print("%s\n", "Name               CPUs   Sched     Active   Domain count");
    for (PoolState pool : xend.hypercalls().pools()) {
      long domains =
          xend.hypercalls().domains().stream().filter(d -> d.pool() == pool.id()).count();
      invocation.print(
          "%-16s   %3s  %8s       %s          %s\n",
          pool.name(), pool.pcpus().size(), pool.scheduler().xenName(), "y", domains);
    }
  }

  /**
   * {@code xm list}, from 4.1 with {@code --pool}, and {@code xm vcpu-list}. All domains here run;
   * none is halted, paused or suspended.
   */
  record XmList(Xend xend) implements XmCommand {
    @Override
    public void run(Invocation invocation) throws IOException {
      Getopt options = options(invocation);
      List<DomainState> domains = selected(options.operands());
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
      return PythonOptions.parse(invocation.arguments(), "", xend.since(4, 1) ? "pool=P:" : "");
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

  /** {@code xm sched-credit}, and {@code xm sched-credit2} from 4.1 on, which has no cap. */
  private record XmSchedCredit(Xend xend, Scheduler scheduler) implements XmCommand {
    @Override
    public void run(Invocation invocation) throws IOException {
      xend.demand(scheduler);
      boolean caps = scheduler == Scheduler.CREDIT;
      Getopt options =
          PythonOptions.parse(
              invocation.arguments(),
              caps ? "d:w:c:" : "d:w:",
              caps ? "domain=d: weight=w: cap=c:" : "domain=d: weight=w:");
      Optional<Integer> weight = options.last('w').map(Xend::integer);
      Optional<Integer> cap = options.last('c').map(Xend::integer);
      Optional<String> selector = options.last('d');
      if (weight.isEmpty() && cap.isEmpty()) {
        list(invocation, selector);
        return;
      }
      if (selector.isEmpty()) {
        throw XmFailure.withUsage("No domain given.");
      }
      set(xend.changed(selector.get()), weight, cap);
    }

    private void list(Invocation invocation, Optional<String> selector) throws IOException {
      List<DomainState> domains =
          selector.isPresent()
              ? List.of(xend.shown(selector.get()))
              : xend.hypercalls().domains().stream()
                  .filter(d -> xend.pool(d.pool()).scheduler() == scheduler)
                  .toList();
      invocation.print("%s", header());
      for (DomainState domain : domains) {
        invocation.print("%s", row(domain));
      }
    }

    private String header() {
      if (!xend.since(3, 2)) {
        return Phrase.of("%-33s %-2s %-6s %-4s\n", "Name", "ID", "Weight", "Cap");
      }
      return scheduler == Scheduler.CREDIT
          ? Phrase.of("%-33s %4s %6s %4s\n", "Name", "ID", "Weight", "Cap")
          : Phrase.of("%-33s %4s %6s\n", "Name", "ID", "Weight");
    }

    private String row(DomainState domain) {
      SchedulerParameters now = domain.parameters();
      if (now.scheduler() == Scheduler.CREDIT2) {
        return Phrase.of("%-32s %5d %6d\n", domain.name(), domain.id(), now.get(Credit.WEIGHT));
      }
      // A domain in a pool with another scheduler does not answer and is shown with -1.
      boolean answers = now.scheduler() == Scheduler.CREDIT;
      int weight = answers ? now.get(Credit.WEIGHT) : -1;
      int cap = answers ? now.get(Credit.CAP) : -1;
      return String.format(
          Locale.ROOT,
          xend.since(3, 2) ? "%-32s %5d %6d %4d\n" : "%-32s %3d %6d %4d\n",
          domain.name(),
          domain.id(),
          weight,
          cap);
    }

    private void set(DomainState domain, Optional<Integer> weight, Optional<Integer> cap) {
      refuseOutOfRange(domain, weight, cap);
      SchedulerParameters now = domain.parameters();
      if (now.scheduler() != Scheduler.CREDIT && now.scheduler() != Scheduler.CREDIT2) {
        throw XmFailure.withUsage("(22, 'Invalid argument')");
      }
      xend.hypercalls()
          .setParameters(
              domain.id(),
              now.with(Credit.WEIGHT, weight.orElse(now.get(Credit.WEIGHT)))
                  .with(Credit.CAP, cap.orElse(now.get(Credit.CAP))));
    }

    private void refuseOutOfRange(
        DomainState domain, Optional<Integer> weight, Optional<Integer> cap) {
      boolean longWords = xend.since(4, 0);
      if (weight.isPresent() && (weight.get() < 1 || weight.get() > 65535)) {
        throw XmFailure.withUsage(
            longWords
                ? "Cpu weight out of range, valid values are within range from 1 to 65535"
                : "weight is out of range");
      }
      int most = 100 * domain.vcpus().size();
      if (cap.isPresent() && (cap.get() < 0 || cap.get() > most)) {
        throw XmFailure.withUsage(
            longWords
                ? "Cpu cap out of range, valid range is from 0 to %s for specified number of vcpus"
                    .formatted(most)
                : "cap is out of range");
      }
    }
  }

  /**
   * {@code xm sched-sedf [DOM [options]]}: the domain comes first. Takes fractional milliseconds,
   * and sends back all five current values with the given ones replaced.
   */
  private record XmSchedSedf(Xend xend) implements XmCommand {
    private static final String LONGS = "period=p: slice=s: latency=l: extratime=e: weight=w:";

    /** The largest number of nanoseconds that fits the 32 bits of xend's protocol. */
    private static final double GREATEST = Integer.MAX_VALUE;

    @Override
    public void run(Invocation invocation) throws IOException {
      xend.demand(Scheduler.SEDF);
      List<String> arguments = invocation.arguments();
      boolean selects = !arguments.isEmpty() && !arguments.get(0).startsWith("-");
      Getopt options =
          PythonOptions.parse(
              selects ? arguments.subList(1, arguments.size()) : arguments, "p:s:l:e:w:", LONGS);
      if (options.options().isEmpty()) {
        list(
            invocation,
            selects ? List.of(xend.shown(arguments.get(0))) : xend.hypercalls().domains());
        return;
      }
      if (!selects) {
        throw XmFailure.withUsage("Please specify a domain name.");
      }
      set(xend.shown(arguments.get(0)), options);
    }

    private void list(Invocation invocation, List<DomainState> domains) throws IOException {
      invocation.print(
          xend.since(3, 2)
              ? "%-33s %4s %-4s %-4s %-7s %-5s %-6s\n"
              : "%-33s %-2s %-4s %-4s %-7s %-5s %-6s\n",
          "Name",
          "ID",
          "Period(ms)",
          "Slice(ms)",
          "Lat(ms)",
          "Extra",
          "Weight");
      for (DomainState domain : domains) {
        if (domain.parameters().scheduler() == Scheduler.SEDF) {
          invocation.print("%s", row(domain, domain.parameters()));
        }
      }
    }

    private String row(DomainState domain, SchedulerParameters sedf) {
      return String.format(
          Locale.ROOT,
          xend.since(3, 2)
              ? "%-32s %5d %9.1f %9.1f %7.1f %6d %6d\n"
              : "%-32s %3d %9.1f %9.1f %7.1f %6d %6d\n",
          domain.name(),
          domain.id(),
          sedf.get(Sedf.PERIOD).toNanos() / 1e6,
          sedf.get(Sedf.SLICE).toNanos() / 1e6,
          sedf.get(Sedf.LATENCY).toNanos() / 1e6,
          sedf.get(Sedf.EXTRATIME) ? 1 : 0,
          sedf.get(Sedf.WEIGHT));
    }

    private void set(DomainState domain, Getopt options) {
      SchedulerParameters now = domain.parameters();
      if (now.scheduler() != Scheduler.SEDF) {
        throw XmFailure.withUsage("(22, 'Invalid argument')");
      }
      SchedulerParameters wanted =
          Sedf.of(
              time(options, 'p').orElse(now.get(Sedf.PERIOD)),
              time(options, 's').orElse(now.get(Sedf.SLICE)),
              time(options, 'l').orElse(now.get(Sedf.LATENCY)),
              options
                  .last('e')
                  .map(e -> (Xend.integer(e) & 1) == 1)
                  .orElse(now.get(Sedf.EXTRATIME)),
              options.last('w').map(Xend::integer).orElse(now.get(Sedf.WEIGHT)));
      try {
        xend.hypercalls().setParameters(domain.id(), wanted);
      } catch (HypervisorRefusal refused) {
        throw XmFailure.withUsage(
            "(" + refused.errno().number() + ", '" + refused.errno().message() + "')");
      }
    }

    private static Optional<Duration> time(Getopt options, char letter) {
      return options.last(letter).map(XmSchedSedf::nanos).map(Duration::ofNanos);
    }

    private static long nanos(String text) {
      double nanos;
      try {
        nanos = Double.parseDouble(text) / 1e-6;
      } catch (NumberFormatException notANumber) {
        throw XmFailure.withUsage("Invalid argument.");
      }
      if (!(nanos <= GREATEST)) {
        throw XmFailure.withUsage("Invalid argument.");
      }
      return (long) nanos;
    }
  }
}
