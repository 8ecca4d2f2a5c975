package io.slicewise.lab.xm;

import io.slicewise.lab.host.DomainState;
import io.slicewise.lab.host.HostFacts;
import io.slicewise.lab.host.Hypercalls;
import io.slicewise.lab.host.Hypercalls.PoolState;
import io.slicewise.lab.host.MachineIdentity;
import io.slicewise.lab.shell.Getopt;
import io.slicewise.lab.shell.Invocation;
import io.slicewise.profile.Scheduler;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/** The daemon shared by xm's subcommands, and its answers by version. */
record Xend(Hypercalls hypercalls, MachineIdentity identity) {
  boolean since(int major, int minor) {
    return identity.version().atLeast(major, minor);
  }

  Optional<DomainState> find(String selector) {
    return hypercalls.domains().stream()
        .filter(d -> d.name().equals(selector) || String.valueOf(d.id()).equals(selector))
        .findFirst();
  }

  /** Returns the domain to change, or fails with an invalid-domain fault. */
  DomainState changed(String selector) {
    return find(selector)
        .orElseThrow(() -> XmFailure.plain(since(3, 4) ? 3 : 1, missing(selector)));
  }

  /** Returns the domain to show, or fails with usage. */
  DomainState shown(String selector) {
    return find(selector).orElseThrow(() -> XmFailure.withUsage(missing(selector)));
  }

  private static String missing(String selector) {
    return "Domain '" + selector + "' does not exist.";
  }

  /** Fails unless Pool-0 runs that scheduler. {@code xm} ignores all other pools. */
  void demand(Scheduler scheduler) {
    Scheduler active = hypercalls.pools().get(0).scheduler();
    if (active != scheduler) {
      throw XmFailure.plain(
          1, "Xen is running with the " + HostFacts.shown(active, false) + " scheduler");
    }
  }

  PoolState pool(int id) {
    return hypercalls.pools().stream().filter(p -> p.id() == id).findFirst().orElseThrow();
  }

  /** Parses an integer like Python's int(). */
  static int integer(String text) {
    try {
      return Integer.parseInt(text.strip());
    } catch (NumberFormatException notANumber) {
      throw XmFailure.withUsage("Invalid argument.");
    }
  }

  /** Ends an {@code xm} command with an error line, optionally followed by the command's usage. */
  static final class XmFailure extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final int status;
    private final boolean usage;

    private XmFailure(int status, String words, boolean usage) {
      super(words);
      this.status = status;
      this.usage = usage;
    }

    /**
     * Returns a failure with an error line on standard error, the usage on standard output, and
     * status 1.
     */
    static XmFailure withUsage(String words) {
      return new XmFailure(1, words, true);
    }

    static XmFailure plain(int status, String words) {
      return new XmFailure(status, words, false);
    }

    int status() {
      return status;
    }

    boolean usage() {
      return usage;
    }
  }

  /** One subcommand of {@code xm}. It fails with an {@link XmFailure}. */
  @FunctionalInterface
  interface XmCommand {
    void run(Invocation invocation) throws IOException;
  }

  /** Options as Python's getopt module reads them. */
  static final class PythonOptions {
    private PythonOptions() {}

    /** Parses options. An unknown option, or one without its argument, is an error with usage. */
    static Getopt parse(List<String> arguments, String shorts, String longs) {
      if (longs.isEmpty()) {
        arguments.stream()
            .filter(word -> word.startsWith("--"))
            .forEach(
                word -> {
                  throw XmFailure.withUsage("option " + word + " not recognized");
                });
      }
      Getopt options = Getopt.parse(arguments, shorts, longs);
      for (Getopt.Option option : options.options()) {
        if (option.letter() == '?') {
          String name =
              option.argument().startsWith("--") ? option.argument() : "-" + option.argument();
          boolean known = name.length() == 2 && shorts.indexOf(name.charAt(1)) >= 0;
          throw XmFailure.withUsage(
              "option " + name + (known ? " requires argument" : " not recognized"));
        }
      }
      return options;
    }
  }
}
