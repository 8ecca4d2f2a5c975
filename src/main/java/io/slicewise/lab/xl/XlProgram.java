package io.slicewise.lab.xl;

import io.slicewise.base.units.Phrase;
import io.slicewise.lab.host.ConsoleRing;
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
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.IntConsumer;
import java.util.stream.Collectors;

/**
 * The {@code xl} command. On a host where {@code xend} runs, 4.2 to 4.4 refuse every subcommand
 * that may change something, including lists of scheduler parameters, unless {@code -f} is given.
 */
public final class XlProgram implements Program {
  private static final Set<String> READERS =
      Set.of(
          "list",
          "info",
          "vcpu-list",
          "cpupool-list",
          "dmesg",
          "domid",
          "domname",
          "help",
          "uptime");

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
    all.put("top", XlProgram::top);
    all.put("uptime", new XlUptime(libxl));
    all.put("dmesg", this::dmesg);
    all.put("domid", this::domid);
    all.put("domname", this::domname);
    all.put("help", this::help);
    all.put("pause", invocation -> change(invocation, libxl.hypercalls()::pause));
    all.put("unpause", invocation -> change(invocation, libxl.hypercalls()::unpause));
    all.put("destroy", invocation -> change(invocation, libxl.hypercalls()::destroyDomain));
    all.put("vcpu-set", this::vcpuSet);
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
    for (String change :
        List.of("destroy", "rename", "cpu-add", "cpu-remove", "migrate", "numa-split")) {
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
      invocation.print("%s", usage());
      return 1;
    }
    String name = arguments.get(0);
    Program command = commands.get(name);
    if (command == null) {
      return unknown(invocation, name);
    }
    if (refusedByXend(name, forced)) {
      invocation.complain(XEND_RUNS);
      return 1;
    }
    return answered(command, invocation.withWords(arguments));
  }

  private static int unknown(Invocation invocation, String name) throws IOException {
    invocation.complain(
        "%s",
        NotModelled.COMMANDS.contains(name)
            ? NotModelled.command(name).getMessage()
            : "command not implemented\n");
    return 1;
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

  private String usage() {
    String global = libxl.since(4, 17) ? "[-vfNtT]" : libxl.since(4, 2) ? "[-vfN]" : "[-v]";
    StringBuilder text = new StringBuilder("Usage xl " + global + " <subcommand> [args]\n\n");
    text.append("xl full list of subcommands:\n\n");
    if (libxl.since(4, 17)) {
      return text.append(allSubcommands()).toString();
    }
    commands.keySet().forEach(name -> text.append(' ').append(name).append('\n'));
    return text.toString();
  }

  /** Returns all subcommands of 4.17, including those that this lab lacks. */
  private static String allSubcommands() {
    try (InputStream in = XlProgram.class.getResourceAsStream("subcommands-4.17.txt")) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException missing) {
      throw new UncheckedIOException(missing);
    }
  }

  private int help(Invocation invocation) throws IOException {
    invocation.print("%s", usage());
    return 0;
  }

  /** Starts xentop, which fails because it has no terminal, and ignores its exit status. */
  private static int top(Invocation invocation) throws IOException {
    invocation.complain("Error opening terminal: unknown.\n");
    return 0;
  }

  private int dmesg(Invocation invocation) throws IOException {
    invocation.print("%s", ConsoleRing.text(libxl.identity(), libxl.hypercalls()));
    return 0;
  }

  private int change(Invocation invocation, IntConsumer change) throws IOException {
    Getopt options = libxl.options(invocation, "", "");
    if (options.operands().isEmpty()) {
      throw NotModelled.command(invocation.words().get(0) + " without a domain");
    }
    change.accept(libxl.domain(options.operands().get(0)).id());
    return 0;
  }

  /** Sets the number of online vCPUs. All vCPUs that a guest was created with are always online. */
  private int vcpuSet(Invocation invocation) throws IOException {
    List<String> operands = libxl.options(invocation, "i", "ignore-host=i").operands();
    if (operands.size() != 2) {
      throw NotModelled.command("vcpu-set without a domain and a number");
    }
    DomainState domain = libxl.domain(operands.get(0));
    int wanted = Getopt.strtol(operands.get(1));
    int most = domain.vcpus().size();
    if (wanted > most) {
      throw new XlFailure(
          1,
          libxl.log(
                  "libxl_domain",
                  1869,
                  "libxl_set_vcpuonline",
                  domain.id(),
                  "Requested %d VCPUs, however maxcpus is %d!: Function not implemented"
                      .formatted(wanted, most))
              + "libxl_set_vcpuonline failed domid=%d max_vcpus=%d, rc: -3\n"
                  .formatted(domain.id(), wanted));
    }
    if (wanted < most) {
      throw NotModelled.command("vcpu-set with fewer vCPUs");
    }
    return 0;
  }

  private int domid(Invocation invocation) throws IOException {
    String name = String.join(" ", invocation.arguments());
    int id =
        libxl.hypercalls().domains().stream()
            .filter(d -> d.name().equals(name))
            .findFirst()
            .orElseThrow(() -> missing("domid of domain name", name))
            .id();
    invocation.print("%d\n", id);
    return 0;
  }

  private int domname(Invocation invocation) throws IOException {
    String id = String.join(" ", invocation.arguments());
    String name =
        libxl.hypercalls().domains().stream()
            .filter(d -> String.valueOf(d.id()).equals(id))
            .findFirst()
            .orElseThrow(() -> missing("domain name of domain id", id))
            .name();
    invocation.print("%s\n", name);
    return 0;
  }

  private static XlFailure missing(String what, String selector) {
    return new XlFailure(
        1, "Can't get " + what + " '" + selector + "', maybe this domain does not exist.\n");
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

  /** {@code xl uptime [-s] [DOMAIN ...]}. */
  record XlUptime(Libxl libxl) implements Program {
    private static final int MINUTE = 60;
    private static final int HOUR = 60 * MINUTE;
    private static final int DAY = 24 * HOUR;

    @Override
    public int run(Invocation invocation) throws IOException {
      Getopt options = libxl.options(invocation, "s", "");
      boolean brief = options.has('s');
      List<DomainState> domains = chosen(options.operands());
      if (!brief) {
        invocation.print("%-33s %4s %s\n", "Name", "ID", "Uptime");
      }
      String now =
          LocalTime.now(ZoneId.systemDefault())
              .format(DateTimeFormatter.ofPattern("HH:mm:ss", Locale.ROOT));
      for (DomainState domain : domains) {
        String up = text(age(domain), brief);
        if (brief) {
          invocation.print(" %s up %s, %s (%d)\n", now, up, domain.name(), domain.id());
        } else {
          invocation.print("%-33s %4d %s\n", domain.name(), domain.id(), up);
        }
      }
      return 0;
    }

    /**
     * Returns the selected domains. All are looked up before anything is printed; unknown numbers
     * are skipped.
     */
    private List<DomainState> chosen(List<String> selectors) {
      if (selectors.isEmpty()) {
        return libxl.hypercalls().domains();
      }
      List<DomainState> domains = new ArrayList<>();
      for (String selector : selectors) {
        Optional<DomainState> found =
            libxl.uncheckedNumber(selector)
                ? libxl.find(selector)
                : Optional.of(libxl.domain(selector));
        found.ifPresent(domains::add);
      }
      return domains;
    }

    private long age(DomainState domain) {
      return TimeUnit.NANOSECONDS.toSeconds(libxl.hypercalls().age(domain.id()).orElse(0));
    }

    static String text(long seconds, boolean brief) {
      long days = seconds / DAY;
      String since = days == 0 ? "" : days + (days == 1 ? " day, " : " days, ");
      String clock = Phrase.of("%2d:%02d", seconds % DAY / HOUR, seconds % HOUR / MINUTE);
      return since + clock + (brief ? "" : Phrase.of(":%02d", seconds % MINUTE));
    }
  }

  /** {@code xl info}, and from 4.8 {@code xl info KEY}, which matches keys by prefix. */
  record XlInfo(Libxl libxl) implements Program {
    @Override
    public int run(Invocation invocation) throws IOException {
      Getopt options = libxl.options(invocation, "nx", "numa=n");
      NotModelled.refuse("info", options, "x");
      Map<String, String> facts = HostFacts.of(libxl.identity(), libxl.hypercalls(), true);
      String prefix =
          libxl.since(4, 8) && !options.operands().isEmpty() ? options.operands().get(0) : "";
      for (Map.Entry<String, String> fact : facts.entrySet()) {
        if (options.has('n') && prefix.isEmpty() && fact.getKey().equals("xen_major")) {
          invocation.print("%s", topology(facts));
        }
        if (prefix.isEmpty()) {
          invocation.print("%-23s: %s\n", fact.getKey(), fact.getValue());
        } else if (fact.getKey().startsWith(prefix)) {
          invocation.print("%s\n", fact.getValue());
        }
      }
      return 0;
    }

    /** Returns the topology: one socket, one node. */
    private String topology(Map<String, String> facts) {
      StringBuilder text =
          new StringBuilder("cpu_topology           :\ncpu:    core    socket     node\n");
      for (int pcpu = 0; pcpu < libxl.hypercalls().pcpus(); pcpu++) {
        text.append(Phrase.of("%3d:    %4d     %4d     %4d%n", pcpu, pcpu, 0, 0));
      }
      text.append("device topology        :\ndevice           node\n");
      text.append("No device topology data available\nnuma_info              :\n");
      text.append("node:    memsize    memfree    distances\n");
      return text.append(
              Phrase.of(
                  "%4d:    %6s     %6s      %d%n",
                  0, facts.get("total_memory"), facts.get("free_memory"), 10))
          .toString();
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
