package io.slicewise.lab.xl;

import io.slicewise.base.units.Phrase;
import io.slicewise.lab.host.DomainState;
import io.slicewise.lab.host.Hypercalls.HypercallException;
import io.slicewise.lab.shell.Getopt;
import io.slicewise.lab.shell.Invocation;
import io.slicewise.lab.shell.Program;
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
final class SchedSedf implements Program {
  private static final String LONGS = "period=p: slice=s: latency=l: extra=e: weight=w: cpupool=c:";

  private final Libxl libxl;
  private final SchedList list;

  SchedSedf(Libxl libxl) {
    this.libxl = libxl;
    this.list =
        new SchedList(
            libxl,
            Scheduler.SEDF,
            Phrase.of(
                "%-33s %4s %6s %-6s %7s %5s %6s\n",
                "Name", "ID", "Period", "Slice", "Latency", "Extra", "Weight"),
            pool -> "Cpupool " + pool.name() + ":\n",
            SchedSedf::row);
  }

  private static String row(DomainState domain) {
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
  public int run(Invocation invocation) throws IOException {
    Getopt options = libxl.options(invocation, "d:p:s:l:e:w:c:", LONGS);
    boolean sets = "pslew".chars().anyMatch(letter -> options.has((char) letter));
    if (options.has('c') && (options.has('d') || sets)) {
      throw new XlFailure(1, "Specifying a cpupool is not allowed with other options.\n");
    }
    if (!options.has('d') && sets) {
      throw new XlFailure(1, "Must specify a domain.\n");
    }
    boolean weighs = options.has('w');
    if (weighs && (options.has('p') || options.has('s'))) {
      invocation.complain("Specifying a weight AND period or slice is not allowed.\n");
    }
    Optional<String> selector = options.last('d');
    if (selector.isEmpty()) {
      return list.all(invocation, options.last('c'));
    }
    return sets ? set(libxl.domain(selector.get()), options) : list.one(invocation, selector.get());
  }

  private int set(DomainState domain, Getopt options) {
    SchedulerParameters now = domain.parameters();
    if (now.scheduler() != Scheduler.SEDF) {
      throw refusal(domain, "getting domain sched sedf: Invalid argument");
    }
    boolean weighs = options.has('w');
    boolean slices = !weighs && (options.has('p') || options.has('s'));
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
    try {
      libxl.hypercalls().setParameters(domain.id(), wanted);
    } catch (HypercallException refused) {
      throw refusal(domain, "setting domain sched sedf: " + refused.errno().message());
    }
    return 0;
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
    String log = libxl.log("libxl", 5412, "sched_sedf_domain_set", domain.id(), text);
    return new XlFailure(libxl.fail(), log + "libxl_domain_sched_params_set failed.\n");
  }
}
