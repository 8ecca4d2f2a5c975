package io.slicewise.lab.xl;

import io.slicewise.base.units.Phrase;
import io.slicewise.lab.host.DomainState;
import io.slicewise.lab.host.DomainState.VcpuState;
import io.slicewise.lab.host.Hypercalls.PoolState;
import io.slicewise.lab.shell.Getopt;
import io.slicewise.lab.shell.Invocation;
import io.slicewise.lab.sim.HypervisorRefusal;
import io.slicewise.lab.xl.Libxl.XlFailure;
import io.slicewise.profile.Rtds;
import io.slicewise.profile.Scheduler;
import io.slicewise.profile.SchedulerParameters;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * {@code xl sched-rtds}, from 4.5 on. Up to 4.6 it sets whole domains. From 4.7 on it sets only
 * vCPUs, and the listing without {@code -v} shows constants; the short {@code -c} no longer takes
 * an argument, names no pool and has no effect.
 */
final class SchedRtds extends SchedCommand {
  private static final long DEFAULT_PERIOD = 10_000;
  private static final long DEFAULT_BUDGET = 4_000;

  SchedRtds(Libxl libxl) {
    super(
        libxl,
        Scheduler.RTDS,
        libxl.since(4, 10) ? "d:p:b:e:v:c" : libxl.since(4, 7) ? "d:p:b:v:c" : "d:p:b:c:",
        "domain=d: period=p: budget=b: extratime=e: vcpuid=v: cpupool=c:",
        'c',
        "pbe");
  }

  @Override
  void refuseMixtures(Getopt options, boolean sets) {
    boolean byVcpu = options.has('v');
    if (pool(options).isPresent() && (options.has('d') || sets || byVcpu)) {
      throw poolAlone();
    }
    boolean all = all(options);
    if (!options.has('d') && (sets || (byVcpu && !all))) {
      throw new XlFailure(
          1, libxl.since(4, 7) ? "Missing parameters.\n" : "Must specify a domain.\n");
    }
    if (all && options.all('v').stream().anyMatch(v -> !v.equals("all"))) {
      throw new XlFailure(1, "Incorrect VCPU IDs.\n");
    }
  }

  private static boolean all(Getopt options) {
    return options.all('v').contains("all");
  }

  private static List<Integer> numbers(Getopt options, char letter) {
    return options.all(letter).stream().map(Getopt::strtol).toList();
  }

  @Override
  String line(PoolState pool) {
    return Phrase.of("Cpupool %s: sched=RTDS\n", pool.name());
  }

  @Override
  String header(Getopt options) {
    return Phrase.of("%-33s %4s", "Name", "ID")
        + (options.has('v') ? Phrase.of(" %4s", "VCPU") : "")
        + Phrase.of(" %9s %9s", "Period", "Budget")
        + extratime("Extratime");
  }

  private String extratime(String text) {
    return libxl.since(4, 10) ? Phrase.of(" %10s\n", text) : "\n";
  }

  @Override
  String rows(DomainState domain, Getopt options) {
    if (!options.has('v')) {
      SchedulerParameters live = domain.parameters();
      boolean truth = !libxl.since(4, 7);
      return Phrase.of(
              "%-33s %4d %9d %9d",
              domain.name(),
              domain.id(),
              truth ? micros(live.get(Rtds.PERIOD)) : DEFAULT_PERIOD,
              truth ? micros(live.get(Rtds.BUDGET)) : DEFAULT_BUDGET)
          + extratime("yes");
    }
    List<Integer> vcpus = all(options) ? List.of() : numbers(options, 'v');
    vcpus.forEach(vcpu -> refuseMissing(domain, vcpu, "get", 543));
    return domain.vcpus().stream()
        .filter(v -> vcpus.isEmpty() || vcpus.contains(v.id()))
        .map(v -> row(domain, v))
        .collect(Collectors.joining());
  }

  private String row(DomainState domain, VcpuState vcpu) {
    SchedulerParameters live = vcpu.parameters();
    return Phrase.of(
            "%-33s %4d %4d %9d %9d",
            domain.name(),
            domain.id(),
            vcpu.id(),
            micros(live.get(Rtds.PERIOD)),
            micros(live.get(Rtds.BUDGET)))
        + extratime(live.get(Rtds.EXTRATIME) ? "yes" : "no");
  }

  private static long micros(Duration time) {
    return time.toNanos() / 1000;
  }

  /** Sets periods and budgets, in microseconds. */
  @Override
  int set(Invocation invocation, DomainState domain, Getopt options) {
    boolean all = all(options);
    List<SchedulerParameters> wanted = wanted(options, all ? 1 : options.all('v').size());
    if (libxl.poolOf(domain).scheduler() != Scheduler.RTDS) {
      throw notSet(all, domain, 705, "sched_rtds_vcpu_set_all", "Invalid argument");
    }
    if (all || !libxl.since(4, 7)) {
      refuseOutOfRange(true, wanted.get(0));
      return set(
          domain, wanted.get(0), why -> notSet(true, domain, 705, "sched_rtds_vcpu_set_all", why));
    }
    List<Integer> vcpus = numbers(options, 'v');
    for (int i = 0; i < vcpus.size(); i++) {
      refuseMissing(domain, vcpus.get(i), "set", 627);
      refuseOutOfRange(false, wanted.get(i));
    }
    try {
      for (int i = 0; i < vcpus.size(); i++) {
        libxl.hypercalls().setVcpuParameters(domain.id(), vcpus.get(i), wanted.get(i));
      }
    } catch (HypervisorRefusal refused) {
      throw notSet(false, domain, 648, "sched_rtds_vcpu_set", refused.errno().message());
    }
    return 0;
  }

  private List<SchedulerParameters> wanted(Getopt options, int vcpus) {
    List<Integer> periods = numbers(options, 'p');
    List<Integer> budgets = numbers(options, 'b');
    List<Integer> extras = numbers(options, 'e');
    refuseIncomplete(options, periods.size(), budgets.size(), extras, vcpus);
    List<SchedulerParameters> wanted = new ArrayList<>();
    for (int i = 0; i < periods.size(); i++) {
      // 4.5 to 4.9 have no extratime: a budget is a hard limit.
      wanted.add(
          Rtds.of(
              Duration.of(periods.get(i), ChronoUnit.MICROS),
              Duration.of(budgets.get(i), ChronoUnit.MICROS),
              libxl.since(4, 10) && extras.get(i) == 1));
    }
    return wanted;
  }

  private void refuseIncomplete(
      Getopt options, int periods, int budgets, List<Integer> extras, int vcpus) {
    if (!libxl.since(4, 7)) {
      if (periods == 0 || budgets == 0) {
        throw new XlFailure(1, "Must specify period and budget\n");
      }
      return;
    }
    if (extras.stream().anyMatch(e -> e != 0 && e != 1)) {
      throw new XlFailure(1, "Invalid extratime.\n");
    }
    if (!options.has('v')) {
      throw new XlFailure(1, "Must specify VCPU.\n");
    }
    boolean matching = periods == budgets && periods == vcpus;
    if (libxl.since(4, 10) && !(matching && extras.size() == vcpus)) {
      throw new XlFailure(1, "Incorrect number of period, budget and extratime\n");
    }
    if (!matching) {
      throw new XlFailure(1, "Incorrect number of period and budget\n");
    }
  }

  private void refuseMissing(DomainState domain, int vcpu, String verb, int source) {
    int last = domain.vcpus().size() - 1;
    if (vcpu < 0 || vcpu > last) {
      String text = "Invalid VCPU " + vcpu + ": valid range is [0, " + last + "]";
      throw failed(
          "libxl_vcpu_sched_params_" + verb,
          log(source, "sched_rtds_vcpu_" + verb, domain.id(), text));
    }
  }

  private void refuseOutOfRange(boolean all, SchedulerParameters wanted) {
    long period = micros(wanted.get(Rtds.PERIOD));
    long budget = micros(wanted.get(Rtds.BUDGET));
    if (period < 1) {
      throw range(all, 477, "Invalid VCPU period of " + period + " (it should be >= 1)");
    }
    if (budget < 1) {
      throw range(all, 483, "Invalid VCPU budget of " + budget + " (it should be >= 1)");
    }
    if (budget > period) {
      String rule = "VCPU budget must be smaller than or equal to period, but ";
      throw range(all, 489, rule + budget + " > " + period);
    }
  }

  private XlFailure range(boolean all, int source, String text) {
    return failed(call(all), log(source, "sched_rtds_validate_params", 0, text));
  }

  private XlFailure notSet(
      boolean all, DomainState domain, int source, String function, String why) {
    return failed(call(all), log(source, function, domain.id(), "Setting vcpu sched rtds: " + why));
  }

  private String call(boolean all) {
    String ofVcpus = all ? "libxl_vcpu_sched_params_set_all" : "libxl_vcpu_sched_params_set";
    return libxl.since(4, 7) ? ofVcpus : "libxl_domain_sched_params_set";
  }
}
