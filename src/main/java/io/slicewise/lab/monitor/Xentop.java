package io.slicewise.lab.monitor;

import io.slicewise.base.units.Phrase;
import io.slicewise.lab.host.DomainState;
import io.slicewise.lab.host.Hypercalls;
import io.slicewise.lab.host.MachineIdentity;
import io.slicewise.lab.shell.Getopt;
import io.slicewise.lab.shell.Invocation;
import io.slicewise.lab.shell.Program;
import java.io.IOException;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/**
 * {@code xentop -b}: one block of rows per iteration, sorted by name. The first block has no
 * interval and shows 0.0 %. The guests' networks and disks are not modelled and show 0.
 */
public record Xentop(Hypercalls hypercalls, MachineIdentity identity) implements Program {
  private static final int CUT = 10;

  private record Look(long nanos, List<DomainState> domains, Map<Integer, Long> runNanos) {}

  @Override
  public int run(Invocation invocation) throws IOException, InterruptedException {
    Getopt options =
        Getopt.parse(
            invocation.arguments(),
            "bfhi:d:nxr",
            "batch=b full-name=f help=h iterations=i: delay=d:");
    if (options.has('h')) {
      invocation.print("Usage: xentop [OPTION]\n");
      return 0;
    }
    if (!options.has('b')) {
      invocation.complain("Error opening terminal: unknown.\n");
      return 1;
    }
    int iterations = options.last('i').map(Getopt::strtol).orElse(0);
    int delay = options.last('d').map(Getopt::strtol).orElse(3);
    Look before = look();
    for (int i = 0; iterations == 0 || i < iterations; i++) {
      if (i > 0) {
        TimeUnit.SECONDS.sleep(delay);
      }
      Look now = look();
      print(invocation, options, i == 0 ? now : before, now);
      before = now;
    }
    return 0;
  }

  private Look look() {
    List<DomainState> domains =
        hypercalls.domains().stream().sorted(Comparator.comparing(DomainState::name)).toList();
    return new Look(
        hypercalls.now(),
        domains,
        domains.stream().collect(Collectors.toMap(DomainState::id, DomainState::runNanos)));
  }

  private void print(Invocation invocation, Getopt options, Look before, Look now)
      throws IOException {
    boolean full = options.has('f') || !identity.version().atLeast(4, 0);
    int longest = now.domains().stream().mapToInt(d -> d.name().length()).max().orElse(CUT);
    int width = full ? Math.max(CUT, longest) : CUT;
    invocation.print("%s", header(width));
    for (DomainState domain : now.domains()) {
      String name =
          full || domain.name().length() <= CUT ? domain.name() : domain.name().substring(0, CUT);
      invocation.print("%s", row(width, name, domain, percent(domain, before, now)));
    }
  }

  private static double percent(DomainState domain, Look before, Look now) {
    long elapsed = now.nanos() - before.nanos();
    long ran = domain.runNanos() - before.runNanos().getOrDefault(domain.id(), 0L);
    return elapsed <= 0 ? 0 : ran * 100.0 / elapsed;
  }

  private boolean sectors() {
    return identity.version().atLeast(4, 0);
  }

  private String header(int width) {
    String sectors = sectors() ? "  VBD_RSECT  VBD_WSECT" : "";
    return String.format(Locale.ROOT, "%" + width + "s", "NAME")
        + "  STATE   CPU(sec) CPU(%)     MEM(k) MEM(%)  MAXMEM(k) MAXMEM(%) VCPUS NETS NETTX(k)"
        + " NETRX(k) VBDS   VBD_OO   VBD_RD   VBD_WR"
        + sectors
        + " SSID\n";
  }

  private String row(int width, String name, DomainState domain, double percent) {
    double total = identity.memoryMib() * 1024.0;
    long most = domain.id() == 0 ? domain.memoryKib() : domain.memoryKib() + 1024;
    return String.format(
            Locale.ROOT,
            "%" + width + "s %6s %10d %6.1f %10d %6.1f %10d %9.1f %5d %4d %8d %8d %4d %8d %8d %8d",
            name,
            state(domain),
            TimeUnit.NANOSECONDS.toSeconds(domain.runNanos()),
            percent,
            domain.memoryKib(),
            domain.memoryKib() * 100 / total,
            most,
            most * 100 / total,
            domain.vcpus().size(),
            domain.id() == 0 ? 0 : 1,
            0,
            0,
            domain.id() == 0 ? 0 : 1,
            0,
            0,
            0)
        + (sectors() ? Phrase.of(" %10d %10d", 0, 0) : "")
        + Phrase.of(" %4d\n", 0);
  }

  /** Returns one letter or dash each for: dying, shut down, blocked, crashed, paused, running. */
  private static String state(DomainState domain) {
    if (domain.crashed()) {
      return "---c--";
    }
    if (domain.paused()) {
      return "----p-";
    }
    return domain.running() ? "-----r" : domain.blocked() ? "--b---" : "------";
  }
}
