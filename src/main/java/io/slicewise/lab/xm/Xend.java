package io.slicewise.lab.xm;

import io.slicewise.lab.host.DomainState;
import io.slicewise.lab.host.Hypercalls;
import io.slicewise.lab.host.MachineIdentity;
import io.slicewise.lab.host.PoolState;
import io.slicewise.profile.Scheduler;
import java.util.Optional;

/** What xm's subcommands share: the daemon behind them and its answers by version. */
record Xend(Hypercalls hypercalls, MachineIdentity identity) {
  boolean since(int major, int minor) {
    return identity.version().atLeast(major, minor);
  }

  Optional<DomainState> find(String selector) {
    return hypercalls.domains().stream()
        .filter(d -> d.name().equals(selector) || String.valueOf(d.id()).equals(selector))
        .findFirst();
  }

  /** The domain to be changed, or the fault of an invalid domain. */
  DomainState changed(String selector) {
    return find(selector)
        .orElseThrow(() -> XmFailure.plain(since(3, 4) ? 3 : 1, missing(selector)));
  }

  /** The domain to be shown, or an error with usage. */
  DomainState shown(String selector) {
    return find(selector).orElseThrow(() -> XmFailure.withUsage(missing(selector)));
  }

  private static String missing(String selector) {
    return "Domain '" + selector + "' does not exist.";
  }

  /** Refuses unless Pool-0 runs that scheduler; {@code xm} looks at no other pool. */
  void demand(Scheduler scheduler) {
    Scheduler active = hypercalls.pools().get(0).scheduler();
    if (active != scheduler) {
      boolean known =
          active == Scheduler.SEDF || active == Scheduler.CREDIT || active == Scheduler.CREDIT2;
      throw XmFailure.plain(
          1, "Xen is running with the " + (known ? active.xenName() : "unknown") + " scheduler");
    }
  }

  PoolState pool(int id) {
    return hypercalls.pools().stream().filter(p -> p.id() == id).findFirst().orElseThrow();
  }

  /** A whole number as Python's int() reads it. */
  static int integer(String text) {
    try {
      return Integer.parseInt(text.strip());
    } catch (NumberFormatException notANumber) {
      throw XmFailure.withUsage("Invalid argument.");
    }
  }
}
