package io.slicewise.lab.xl;

import io.slicewise.lab.host.ConsoleRing;
import io.slicewise.lab.host.DomainState;
import io.slicewise.lab.host.Hypercalls;
import io.slicewise.lab.host.MachineIdentity;
import io.slicewise.lab.shell.Getopt;
import io.slicewise.lab.shell.Invocation;
import io.slicewise.lab.shell.Program;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.IntConsumer;

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
}
