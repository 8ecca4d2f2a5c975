package io.slicewise.lab.xl;

import io.slicewise.host.HypervisorVersion;
import io.slicewise.lab.host.DomainState;
import io.slicewise.lab.host.Hypercalls;
import io.slicewise.lab.host.Hypercalls.PoolState;
import io.slicewise.lab.host.MachineIdentity;
import io.slicewise.lab.shell.Getopt;
import io.slicewise.lab.shell.Invocation;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The parts shared by all subcommands: the host, and this version's messages and exit codes for
 * failures.
 */
record Libxl(Hypercalls hypercalls, MachineIdentity identity) {
  private static final int ERROR_FAIL = 3;
  private static final int ERROR_INVAL = 6;

  HypervisorVersion version() {
    return identity.version();
  }

  boolean since(int major, int minor) {
    return version().atLeast(major, minor);
  }

  /** Returns the exit code of ERROR_FAIL: 3 up to 4.6, then 1. */
  int fail() {
    return since(4, 7) ? 1 : ERROR_FAIL;
  }

  /** Returns the exit code of ERROR_INVAL: 6 up to 4.6, then 1. */
  int invalid() {
    return since(4, 7) ? 1 : ERROR_INVAL;
  }

  /** Returns the exit code of a failed list. Up to 4.6 the error is negated twice. */
  int failedList() {
    return since(4, 7) ? 1 : 253;
  }

  /**
   * Returns a line of libxl's log. A {@code domid} of 0 means none, because libxl itself treats
   * Domain-0 so.
   */
  String log(String file, int line, String function, int domid, String text) {
    String place = since(4, 9) ? file + ".c" : "libxl.c";
    String about = since(4, 9) && domid > 0 ? "Domain " + domid + ":" : "";
    return "libxl: error: " + place + ":" + line + ":" + function + ": " + about + text + "\n";
  }

  /**
   * Parses the options of a subcommand, with this version's reaction to unknown ones.
   *
   * @param longs the names of options, of which only those count whose letter is in {@code shorts}
   */
  Getopt options(Invocation invocation, String shorts, String longs) throws IOException {
    String names =
        Stream.of(longs.split(" "))
            .filter(name -> shorts.contains(name.replaceAll("^.*=(.).*|.*", "$1")) && since(4, 2))
            .collect(Collectors.joining(" "));
    Getopt options = Getopt.parse(invocation.arguments(), shorts, names);
    for (Getopt.Option option : options.options()) {
      if (option.letter() == '?' && !(since(4, 2) && !since(4, 3))) {
        String refusal = "option `" + option.argument() + "' not supported.\n";
        if (since(4, 3)) {
          throw new XlFailure(2, refusal);
        }
        invocation.complain("%s", refusal); // 4.1 continues
      }
    }
    return options;
  }

  /** Returns the operands of a subcommand, or fails if there are fewer than it needs. */
  List<String> operands(Invocation invocation, Getopt options, int least) {
    if (options.operands().size() < least) {
      throw new XlFailure(
          since(4, 7) ? 1 : 2,
          "'xl %s' requires at least %d argument%s.\n\n"
              .formatted(invocation.words().get(0), least, least > 1 ? "s" : ""));
    }
    return options.operands();
  }

  /** Returns the domain with a name or number, or fails as this version does. */
  DomainState domain(String selector) {
    return find(selector)
        .orElseThrow(
            () ->
                new XlFailure(
                    since(4, 7) ? 1 : 2, selector + " is an invalid domain identifier (rc=-6)\n"));
  }

  Optional<DomainState> find(String selector) {
    boolean number = selector.matches("[0-9]+");
    return hypercalls.domains().stream()
        .filter(d -> number ? selector.equals(String.valueOf(d.id())) : d.name().equals(selector))
        .findFirst();
  }

  /** Returns whether a selector is a domid, whose existence is not checked from 4.3 on. */
  boolean uncheckedNumber(String selector) {
    return since(4, 3) && selector.matches("[0-9]+");
  }

  /** Returns a pool by name or number. */
  Optional<PoolState> pool(String selector) {
    boolean number = selector.matches("[0-9]+");
    return hypercalls.pools().stream()
        .filter(p -> number ? selector.equals(String.valueOf(p.id())) : p.name().equals(selector))
        .findFirst();
  }

  PoolState poolOrFail(String selector, int status) {
    return pool(selector)
        .orElseThrow(() -> new XlFailure(status, "unknown cpupool '" + selector + "'\n"));
  }

  PoolState poolOf(DomainState domain) {
    return hypercalls.pools().stream()
        .filter(p -> p.id() == domain.pool())
        .findFirst()
        .orElseThrow();
  }

  /** Ends an {@code xl} command with a message on standard error and an exit status. */
  static final class XlFailure extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final int status;

    XlFailure(int status, String words) {
      super(words);
      this.status = status;
    }

    int status() {
      return status;
    }
  }
}
