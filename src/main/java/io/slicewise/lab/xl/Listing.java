package io.slicewise.lab.xl;

import io.slicewise.base.units.Phrase;
import io.slicewise.lab.host.DomainState;
import io.slicewise.lab.shell.Getopt;
import io.slicewise.lab.shell.Invocation;
import io.slicewise.lab.shell.Program;
import java.io.IOException;
import java.util.List;

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
    Getopt options = options(invocation);
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

  private Getopt options(Invocation invocation) throws IOException {
    return libxl.since(4, 6)
        ? libxl.options(invocation, "cv", "verbose=v cpupool=c")
        : libxl.options(invocation, "v", "verbose=v");
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
        domain.vcpus().size(),
        state(domain),
        domain.runNanos() / 1e9);
  }

  private static String verbose(DomainState domain) {
    return Phrase.of(
        " %s %8s %16s", domain.uuid(), domain.crashed() ? Integer.toHexString(CRASHED) : "-", "-");
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
