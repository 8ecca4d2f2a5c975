package io.slicewise.lab.xm;

import io.slicewise.lab.host.DomainState;
import io.slicewise.lab.host.Hypercalls.HypercallException;
import io.slicewise.lab.shell.Getopt;
import io.slicewise.lab.shell.Invocation;
import io.slicewise.lab.xm.Xend.PythonOptions;
import io.slicewise.lab.xm.Xend.XmCommand;
import io.slicewise.lab.xm.Xend.XmFailure;
import io.slicewise.profile.Scheduler;
import io.slicewise.profile.SchedulerParameters;
import io.slicewise.profile.Sedf;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * {@code xm sched-sedf [DOM [options]]}: the domain comes first. Takes fractional milliseconds, and
 * sends back all five current values with the given ones replaced.
 */
record XmSchedSedf(Xend xend) implements XmCommand {
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
            options.last('e').map(e -> (Xend.integer(e) & 1) == 1).orElse(now.get(Sedf.EXTRATIME)),
            options.last('w').map(Xend::integer).orElse(now.get(Sedf.WEIGHT)));
    try {
      xend.hypercalls().setParameters(domain.id(), wanted);
    } catch (HypercallException refused) {
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
