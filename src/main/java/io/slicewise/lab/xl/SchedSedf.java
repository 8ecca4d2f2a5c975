package io.slicewise.lab.xl;

import io.slicewise.base.units.Phrase;
import io.slicewise.lab.host.DomainState;
import io.slicewise.lab.host.Hypercalls.PoolState;
import io.slicewise.lab.shell.Getopt;
import io.slicewise.lab.shell.Invocation;
import io.slicewise.lab.xl.Libxl.XlFailure;
import io.slicewise.profile.Scheduler;
import io.slicewise.profile.SchedulerParameters;
import io.slicewise.profile.Sedf;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;

/**
 * {@code xl sched-sedf}, 4.2 to 4.5 only. Takes whole milliseconds. libxl multiplies them in a C
 * int, which overflows above 2147 ms, and truncates nanoseconds when it reads them back.
 */
final class SchedSedf extends SchedCommand {
  SchedSedf(Libxl libxl) {
    super(
        libxl,
        Scheduler.SEDF,
        "d:p:s:l:e:w:c:",
        "period=p: slice=s: latency=l: extra=e: weight=w: cpupool=c:",
        'c',
        "pslew");
  }

  @Override
  String line(PoolState pool) {
    return "Cpupool " + pool.name() + ":\n";
  }

  @Override
  String header(Getopt options) {
    return Phrase.of(
        "%-33s %4s %6s %-6s %7s %5s %6s\n",
        "Name", "ID", "Period", "Slice", "Latency", "Extra", "Weight");
  }

  @Override
  String rows(DomainState domain, Getopt options) {
    SchedulerParameters sedf = domain.parameters();
    return Phrase.of(
        "%-33s %4d %6d %6d %7d %5d %6d\n",
        domain.name(),
        domain.id(),
        sedf.get(Sedf.PERIOD).toMillis(),
        sedf.get(Sedf.SLICE).toMillis(),
        sedf.get(Sedf.LATENCY).toMillis(),
        sedf.get(Sedf.EXTRATIME) ? 1 : 0,
        sedf.get(Sedf.WEIGHT));
  }

  @Override
  int set(Invocation invocation, DomainState domain, Getopt options) throws IOException {
    boolean weighs = options.has('w');
    boolean slices = !weighs && (options.has('p') || options.has('s'));
    if (weighs && (options.has('p') || options.has('s'))) {
      invocation.complain("Specifying a weight AND period or slice is not allowed.\n");
    }
    SchedulerParameters now = domain.parameters();
    if (now.scheduler() != Scheduler.SEDF) {
      throw refusal(domain, "getting domain sched sedf: Invalid argument");
    }
    Duration period = weighs ? Duration.ZERO : time(options, 'p').orElse(now.get(Sedf.PERIOD));
    Duration slice = weighs ? Duration.ZERO : time(options, 's').orElse(now.get(Sedf.SLICE));
    int weight = slices ? 0 : options.last('w').map(Getopt::strtol).orElse(now.get(Sedf.WEIGHT));
    SchedulerParameters wanted =
        Sedf.of(
            period,
            slice,
            time(options, 'l').orElse(now.get(Sedf.LATENCY)),
            options.last('e').map(e -> (Getopt.strtol(e) & 1) == 1).orElse(now.get(Sedf.EXTRATIME)),
            weight);
    return set(domain, wanted, why -> refusal(domain, "setting domain sched sedf: " + why));
  }

  private static Optional<Duration> time(Getopt options, char letter) {
    return options
        .last(letter)
        .map(Getopt::strtol)
        .map(millis -> Duration.ofNanos(wrapped(millis)));
  }

  /** Returns the nanoseconds after C's 32-bit multiplication. */
  private static long wrapped(int millis) {
    return (int) (millis * 1_000_000L);
  }

  private XlFailure refusal(DomainState domain, String text) {
    String log = log(5412, "sched_sedf_domain_set", domain.id(), text);
    return failed("libxl_domain_sched_params_set", log);
  }
}
