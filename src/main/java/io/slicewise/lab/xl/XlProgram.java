package io.slicewise.lab.xl;

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
import io.slicewise.lab.xl.Libxl.XlFailure;
import io.slicewise.profile.Scheduler;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.IntConsumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

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
    all.put("info", this::info);
    all.put("vcpu-list", new VcpuList(libxl));
    all.put("vcpu-pin", new VcpuPin(libxl));
    all.put("vcpu-set", new VcpuSet(libxl));
    all.put("help", this::help);
    all.put("pause", invocation -> change(invocation, libxl.hypercalls()::pause));
    all.put("unpause", invocation -> change(invocation, libxl.hypercalls()::unpause));
    all.put("sched-credit", SchedCredit.first(libxl));
    if (libxl.since(4, 2)) {
      all.put("sched-credit2", SchedCredit.second(libxl));
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

  private int info(Invocation invocation) throws IOException {
    libxl.options(invocation, "", "");
    for (var fact : HostFacts.of(libxl.identity(), libxl.hypercalls(), true).entrySet()) {
      invocation.print("%-23s: %s\n", fact.getKey(), fact.getValue());
    }
    return 0;
  }

  private int change(Invocation invocation, IntConsumer change) throws IOException {
    Getopt options = libxl.options(invocation, "", "");
    change.accept(libxl.domain(libxl.operands(invocation, options, 1).get(0)).id());
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
      if (domain.crashed() || !vcpu.online()) {
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

  /** {@code xl list}, with {@code -v}, and {@code -c} from 4.6. */
  record Listing(Libxl libxl) implements Program {
    private static final String HEADER =
        "Name                                        ID   Mem VCPUs\tState\tTime(s)";

    private static final String VERBOSE_HEADER =
        "   UUID                            Reason-Code\tSecurity Label";

    /** The reason code of a crashed domain. */
    private static final int CRASHED = 3;

    @Override
    public int run(Invocation invocation) throws IOException {
      Getopt options =
          libxl.options(invocation, libxl.since(4, 6) ? "cv" : "v", "verbose=v cpupool=c");
      List<DomainState> domains =
          options.operands().isEmpty()
              ? libxl.hypercalls().domains()
              : List.of(selected(options.operands().get(0)));
      boolean pools = options.has('c');
      boolean verbose = options.has('v');
      invocation.print(
          "%s%s%s\n", HEADER, verbose ? VERBOSE_HEADER : "", pools ? "         Cpupool" : "");
      for (DomainState domain : domains) {
        String pool = pools ? Phrase.of("%16s", libxl.poolOf(domain).name()) : "";
        invocation.print("%s%s%s\n", row(domain), verbose ? verbose(domain) : "", pool);
      }
      return 0;
    }

    private DomainState selected(String selector) {
      if (libxl.uncheckedNumber(selector) && libxl.find(selector).isEmpty()) {
        int status = libxl.since(4, 7) ? 1 : libxl.since(4, 6) ? 21 : 6;
        throw new XlFailure(status, "Error: Domain '" + selector + "' does not exist.\n");
      }
      return libxl.domain(selector);
    }

    private static String row(DomainState domain) {
      return Phrase.of(
          "%-40s %5d %5d %5d     %s  %8.1f",
          domain.name(),
          domain.id(),
          domain.memoryKib() / 1024,
          domain.online(),
          state(domain),
          domain.runNanos() / 1e9);
    }

    private static String verbose(DomainState domain) {
      return Phrase.of(
          " %s %8s %16s",
          domain.uuid(), domain.crashed() ? Integer.toHexString(CRASHED) : "-", "-");
    }

    /** Returns one letter or dash each for: running, blocked, paused, shut down, reason, dying. */
    private static String state(DomainState domain) {
      if (domain.crashed()) {
        return "---sc-";
      }
      if (domain.paused()) {
        return "--p---";
      }
      return domain.running() ? "r-----" : domain.blocked() ? "-b----" : "------";
    }
  }

  /**
   * {@code xl cpupool-create 'name="X"' 'sched="credit"' 'cpus=["3"]'}: takes configuration syntax
   * on the command line. A file operand is refused, because this host has no such files.
   */
  record CpupoolCreate(Libxl libxl) implements Program {
    @Override
    public int run(Invocation invocation) throws IOException {
      Getopt options = libxl.options(invocation, "nf:", "dryrun=n defconfig=f:");
      String config = String.join("\n", options.operands());
      String name =
          value(config, "name")
              .orElseThrow(() -> new XlFailure(libxl.fail(), "Missing cpupool name!\n"));
      if (libxl.pool(name).isPresent()) {
        throw new XlFailure(libxl.fail(), "Pool name \"" + name + "\" already exists\n");
      }
      Scheduler scheduler = scheduler(config);
      NavigableSet<Integer> pcpus = freePcpus(config);
      invocation.print("Using config file \"command line\"\n");
      invocation.print("cpupool name:   %s\n", name);
      invocation.print("scheduler:      %s\n", scheduler.xenName());
      invocation.print("number of cpus: %d\n", pcpus.size());
      create(name, scheduler, pcpus);
      return 0;
    }

    private Scheduler scheduler(String config) {
      Optional<String> given = value(config, "sched");
      if (given.isEmpty()) {
        return libxl.hypercalls().pools().get(0).scheduler();
      }
      return Scheduler.ofXenName(given.get())
          .orElseThrow(() -> new XlFailure(libxl.fail(), "Unknown scheduler\n"));
    }

    private NavigableSet<Integer> freePcpus(String config) {
      NavigableSet<Integer> wanted = pcpus(config);
      NavigableSet<Integer> free = new TreeSet<>(CpuSet.parse("all", libxl.hypercalls().pcpus()));
      libxl.hypercalls().pools().stream().map(PoolState::pcpus).forEach(free::removeAll);
      for (int pcpu : wanted) {
        if (!free.contains(pcpu)) {
          throw new XlFailure(libxl.fail(), "cpu " + pcpu + " illegal or not free\n");
        }
      }
      return wanted;
    }

    private NavigableSet<Integer> pcpus(String config) {
      NavigableSet<Integer> wanted = new TreeSet<>();
      Matcher list = Pattern.compile("cpus\\s*=\\s*\\[([^]]*)]").matcher(config);
      if (list.find()) {
        Matcher number = Pattern.compile("\\d+").matcher(list.group(1));
        while (number.find()) {
          wanted.add(Integer.valueOf(number.group()));
        }
      } else if (libxl.since(4, 6)) {
        value(config, "cpus")
            .ifPresent(text -> wanted.addAll(CpuSet.parse(text, libxl.hypercalls().pcpus())));
      }
      return wanted;
    }

    private void create(String name, Scheduler scheduler, NavigableSet<Integer> pcpus) {
      try {
        libxl.hypercalls().createPool(name, scheduler, pcpus);
      } catch (HypervisorRefusal refused) {
        throw new XlFailure(
            libxl.fail(),
            libxl.log("libxl_cpupool", 157, "libxl_cpupool_create", 0, "Could not create cpupool")
                + "error on creating cpupool\n");
      }
    }

    private static Optional<String> value(String config, String key) {
      Matcher matcher =
          Pattern.compile("(?m)^\\s*" + key + "\\s*=\\s*[\"']([^\"']*)[\"']").matcher(config);
      return matcher.find() ? Optional.of(matcher.group(1)) : Optional.empty();
    }
  }

  /**
   * {@code xl vcpu-pin DOM VCPU|all HARD [SOFT]}, soft affinity from 4.5. A dash leaves an affinity
   * unchanged.
   */
  record VcpuPin(Libxl libxl) implements Program {
    @Override
    public int run(Invocation invocation) throws IOException {
      Getopt options = libxl.options(invocation, "f", "force=f");
      List<String> operands = libxl.operands(invocation, options, 3);
      DomainState domain = libxl.domain(operands.get(0));
      Optional<NavigableSet<Integer>> hard = affinity("hard", operands.get(2));
      Optional<NavigableSet<Integer>> soft =
          libxl.since(4, 5) && operands.size() > 3
              ? affinity("soft", operands.get(3))
              : Optional.empty();
      IntStream vcpus =
          operands.get(1).equals("all")
              ? IntStream.range(0, domain.vcpus().size())
              : IntStream.of(vcpu(operands.get(1)));
      vcpus.forEach(vcpu -> set(domain, vcpu, hard, soft));
      return 0;
    }

    private Optional<NavigableSet<Integer>> affinity(String kind, String text) {
      if (libxl.since(4, 5) && text.equals("-")) {
        return Optional.empty();
      }
      NavigableSet<Integer> pcpus = pcpus(text);
      if (pcpus.isEmpty()) {
        throw new XlFailure(1, "vcpu " + kind + " affinity map is empty\n");
      }
      return Optional.of(pcpus);
    }

    private NavigableSet<Integer> pcpus(String text) {
      try {
        return CpuSet.parse(text, libxl.hypercalls().pcpus());
      } catch (NumberFormatException notANumber) {
        throw new XlFailure(1, "Error: Invalid argument: " + text + "\n");
      }
    }

    private static int vcpu(String text) {
      try {
        return Integer.parseInt(text);
      } catch (NumberFormatException notANumber) {
        throw new XlFailure(1, "Error: Invalid argument " + text + " as VCPU.\n");
      }
    }

    private void set(
        DomainState domain,
        int vcpu,
        Optional<NavigableSet<Integer>> hard,
        Optional<NavigableSet<Integer>> soft) {
      try {
        hard.ifPresent(pcpus -> libxl.hypercalls().pin(domain.id(), vcpu, pcpus));
        soft.ifPresent(pcpus -> libxl.hypercalls().prefer(domain.id(), vcpu, pcpus));
      } catch (HypervisorRefusal refused) {
        String log =
            libxl.log(
                "libxl_sched",
                62,
                "libxl__set_vcpuaffinity",
                domain.id(),
                "Setting vcpu affinity: " + refused.errno().message());
        throw new XlFailure(
            libxl.fail(), log + "Could not set affinity for vcpu `" + vcpu + "'.\n");
      }
    }
  }

  /** {@code xl vcpu-set DOM N}: how many of its vCPUs a domain uses. */
  record VcpuSet(Libxl libxl) implements Program {
    @Override
    public int run(Invocation invocation) throws IOException {
      Getopt options = libxl.options(invocation, "i", "ignore-host=i");
      List<String> operands = libxl.operands(invocation, options, 2);
      DomainState domain = libxl.domain(operands.get(0));
      if (!operands.get(1).matches("[1-9]\\d{0,3}")) {
        throw new XlFailure(1, "Error: Invalid argument.\n");
      }
      int wanted = Integer.parseInt(operands.get(1));
      int pcpus = libxl.hypercalls().pcpus();
      if (wanted > pcpus && !options.has('i')) {
        throw new XlFailure(
            1,
            "You are overcommmitting! You have %d physical CPUs and want %d vCPUs! Aborting, use --ignore-host to continue\n"
                .formatted(pcpus, wanted));
      }
      if (wanted > domain.vcpus().size()) {
        throw new XlFailure(
            1,
            libxl.log(
                    "libxl_domain",
                    1869,
                    "libxl_set_vcpuonline",
                    domain.id(),
                    "Requested %d VCPUs, however maxcpus is %d!: Function not implemented"
                        .formatted(wanted, domain.vcpus().size()))
                + "libxl_set_vcpuonline failed domid=%d max_vcpus=%d, rc: -3\n"
                    .formatted(domain.id(), wanted));
      }
      libxl.hypercalls().setOnline(domain.id(), wanted);
      return 0;
    }
  }
}
