package io.slicewise.lab.xm;

import io.slicewise.lab.host.DomainState;
import io.slicewise.lab.host.Hypercalls;
import io.slicewise.lab.host.MachineIdentity;
import io.slicewise.lab.host.PoolState;
import io.slicewise.profile.Scheduler;
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
      boolean known =
          active == Scheduler.SEDF || active == Scheduler.CREDIT || active == Scheduler.CREDIT2;
      throw XmFailure.plain(
          1, "Xen is running with the " + (known ? active.xenName() : "unknown") + " scheduler");
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
}
