package io.slicewise.lab.xl;

import io.slicewise.base.units.Phrase;
import io.slicewise.lab.host.DomainState;
import io.slicewise.lab.host.DomainState.VcpuState;
import io.slicewise.lab.host.Hypercalls.HypercallException;
import io.slicewise.lab.host.Hypercalls.PoolState;
import io.slicewise.lab.shell.Getopt;
import io.slicewise.lab.shell.Invocation;
import io.slicewise.lab.shell.Program;
import io.slicewise.lab.xl.Libxl.XlFailure;
import io.slicewise.profile.Rtds;
import io.slicewise.profile.Scheduler;
import io.slicewise.profile.SchedulerParameters;
import java.io.IOException;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * {@code xl sched-rtds}, from 4.5 on. Up to 4.6 it sets whole domains. From 4.7 on it sets only
 * vCPUs, and the listing without {@code -v} shows constants.
 */
final class SchedRtds implements Program {
  private static final String LONGS_4_5 = "domain=d: period=p: budget=b: cpupool=c:";
  private static final String LONGS_4_7 = "domain=d: period=p: budget=b: vcpuid=v: cpupool=c:";
  private static final String LONGS_4_10 =
      "domain=d: period=p: budget=b: extratime=e: vcpuid=v: cpupool=c:";

  private final Libxl libxl;
  private final RtdsRows rows;
  private final RtdsSetting setting;

  SchedRtds(Libxl libxl) {
    this.libxl = libxl;
    this.rows = new RtdsRows(libxl);
    this.setting = new RtdsSetting(libxl);
  }

  @Override
  public int run(Invocation invocation) throws IOException {
    Getopt options = options(invocation);
    boolean byVcpu = options.has('v');
    boolean sets = options.has('p') || options.has('b') || options.has('e');
    // From 4.7 on the short -c no longer takes an argument: it names no pool and has no effect.
    boolean pool = options.last('c').filter(name -> !name.isEmpty()).isPresent();
    if (pool && (options.has('d') || sets || byVcpu)) {
      throw new XlFailure(1, "Specifying a cpupool is not allowed with other options.\n");
    }
    boolean all = options.all('v').contains("all");
    if (!options.has('d') && (sets || (byVcpu && !all))) {
      throw new XlFailure(
          1, libxl.since(4, 7) ? "Missing parameters.\n" : "Must specify a domain.\n");
    }
    if (all && options.all('v').stream().anyMatch(v -> !v.equals("all"))) {
      throw new XlFailure(1, "Incorrect VCPU IDs.\n");
    }
    if (options.last('d').isEmpty()) {
      return list(byVcpu, List.of())
          .all(invocation, options.last('c').filter(name -> !name.isEmpty()));
    }
    String selector = options.last('d').get();
    if (!sets) {
      return list(byVcpu, all ? List.of() : numbers(options)).one(invocation, selector);
    }
    return setting.run(libxl.domain(selector), options, all);
  }

  private Getopt options(Invocation invocation) throws IOException {
    if (!libxl.since(4, 7)) {
      return libxl.options(invocation, "d:p:b:c:", LONGS_4_5);
    }
    return libxl.since(4, 10)
        ? libxl.options(invocation, "d:p:b:e:v:c", LONGS_4_10)
        : libxl.options(invocation, "d:p:b:v:c", LONGS_4_7);
  }

  private static List<Integer> numbers(Getopt options) {
    return options.all('v').stream().map(Getopt::strtol).toList();
  }

  private SchedList list(boolean byVcpu, List<Integer> vcpus) {
    return new SchedList(
        libxl,
        Scheduler.RTDS,
        rows.header(byVcpu),
        SchedRtds::line,
        domain -> byVcpu ? vcpuRows(domain, vcpus) : rows.domain(domain));
  }

  private String vcpuRows(DomainState domain, List<Integer> vcpus) {
    for (int vcpu : vcpus) {
      setting.refuseMissing(domain, vcpu, "get");
    }
    return domain.vcpus().stream()
        .filter(v -> vcpus.isEmpty() || vcpus.contains(v.id()))
        .map(v -> rows.vcpu(domain, v))
        .collect(Collectors.joining());
  }

  private static String line(PoolState pool) {
    return Phrase.of("Cpupool %s: sched=RTDS\n", pool.name());
  }

  /** The headers and rows of {@code xl sched-rtds}. */
  private record RtdsRows(Libxl libxl) {
    private static final int DEFAULT_PERIOD = 10_000;
    private static final int DEFAULT_BUDGET = 4_000;

    String header(boolean byVcpu) {
      String vcpu = byVcpu ? Phrase.of(" %4s", "VCPU") : "";
      String extratime = libxl.since(4, 10) ? Phrase.of(" %10s", "Extratime") : "";
      return Phrase.of("%-33s %4s", "Name", "ID")
          + vcpu
          + Phrase.of(" %9s %9s", "Period", "Budget")
          + extratime
          + "\n";
    }

    /**
     * Returns the row of a whole domain: actual values up to 4.6, the hypervisor's constants since.
     */
    String domain(DomainState domain) {
      SchedulerParameters live = domain.parameters();
      boolean truth = !libxl.since(4, 7);
      return Phrase.of(
              "%-33s %4d %9d %9d",
              domain.name(),
              domain.id(),
              truth ? live.get(Rtds.PERIOD).toNanos() / 1000 : DEFAULT_PERIOD,
              truth ? live.get(Rtds.BUDGET).toNanos() / 1000 : DEFAULT_BUDGET)
          + (libxl.since(4, 10) ? Phrase.of(" %10s", "yes") : "")
          + "\n";
    }

    String vcpu(DomainState domain, VcpuState vcpu) {
      SchedulerParameters live = vcpu.parameters();
      String extratime = live.get(Rtds.EXTRATIME) ? "yes" : "no";
      return Phrase.of(
              "%-33s %4d %4d %9d %9d",
              domain.name(),
              domain.id(),
              vcpu.id(),
              live.get(Rtds.PERIOD).toNanos() / 1000,
              live.get(Rtds.BUDGET).toNanos() / 1000)
          + (libxl.since(4, 10) ? Phrase.of(" %10s", extratime) : "")
          + "\n";
    }
  }

  /** Sets periods and budgets through {@code xl sched-rtds}, in microseconds. */
  private record RtdsSetting(Libxl libxl) {

    int run(DomainState domain, Getopt options, boolean all) {
      List<SchedulerParameters> wanted = wanted(options, all ? 1 : options.all('v').size());
      if (libxl.poolOf(domain).scheduler() != Scheduler.RTDS) {
        throw refusal(
            all,
            log(
                705,
                "sched_rtds_vcpu_set_all",
                domain,
                "Setting vcpu sched rtds: Invalid argument"));
      }
      if (all || !libxl.since(4, 7)) {
        setAll(domain, wanted.get(0));
      } else {
        setSome(domain, options.all('v').stream().map(Getopt::strtol).toList(), wanted);
      }
      return 0;
    }

    private List<SchedulerParameters> wanted(Getopt options, int vcpus) {
      List<Integer> periods = options.all('p').stream().map(Getopt::strtol).toList();
      List<Integer> budgets = options.all('b').stream().map(Getopt::strtol).toList();
      List<Integer> extras = options.all('e').stream().map(Getopt::strtol).toList();
      refuseIncomplete(options, periods.size(), budgets.size(), extras.size(), vcpus);
      List<SchedulerParameters> wanted = new ArrayList<>();
      for (int i = 0; i < periods.size(); i++) {
        // 4.5 to 4.9 have no extratime: a budget is a hard limit.
        boolean extratime = libxl.since(4, 10) && extras.get(i) == 1;
        wanted.add(
            Rtds.of(
                Duration.of(periods.get(i), ChronoUnit.MICROS),
                Duration.of(budgets.get(i), ChronoUnit.MICROS),
                extratime));
      }
      return wanted;
    }

    private void refuseIncomplete(Getopt options, int periods, int budgets, int extras, int vcpus) {
      if (!libxl.since(4, 7)) {
        if (periods == 0 || budgets == 0) {
          throw new XlFailure(1, "Must specify period and budget\n");
        }
        return;
      }
      if (options.all('e').stream().map(Getopt::strtol).anyMatch(e -> e != 0 && e != 1)) {
        throw new XlFailure(1, "Invalid extratime.\n");
      }
      if (!options.has('v')) {
        throw new XlFailure(1, "Must specify VCPU.\n");
      }
      boolean matching = periods == budgets && periods == vcpus;
      if (libxl.since(4, 10) && !(matching && extras == vcpus)) {
        throw new XlFailure(1, "Incorrect number of period, budget and extratime\n");
      }
      if (!matching) {
        throw new XlFailure(1, "Incorrect number of period and budget\n");
      }
    }

    private void setAll(DomainState domain, SchedulerParameters wanted) {
      refuseOutOfRange(true, wanted);
      try {
        libxl.hypercalls().setParameters(domain.id(), wanted);
      } catch (HypercallException refused) {
        String text = "Setting vcpu sched rtds: " + refused.errno().message();
        throw refusal(true, log(705, "sched_rtds_vcpu_set_all", domain, text));
      }
    }

    private void setSome(
        DomainState domain, List<Integer> vcpus, List<SchedulerParameters> wanted) {
      for (int i = 0; i < vcpus.size(); i++) {
        refuseMissing(domain, vcpus.get(i), "set");
        refuseOutOfRange(false, wanted.get(i));
      }
      try {
        for (int i = 0; i < vcpus.size(); i++) {
          libxl.hypercalls().setVcpuParameters(domain.id(), vcpus.get(i), wanted.get(i));
        }
      } catch (HypercallException refused) {
        String text = "Setting vcpu sched rtds: " + refused.errno().message();
        throw refusal(false, log(648, "sched_rtds_vcpu_set", domain, text));
      }
    }

    /** Refuses a vCPU that the domain does not have. */
    void refuseMissing(DomainState domain, int vcpu, String verb) {
      int last = domain.vcpus().size() - 1;
      if (vcpu < 0 || vcpu > last) {
        String text = "Invalid VCPU " + vcpu + ": valid range is [0, " + last + "]";
        String log = log(verb.equals("set") ? 627 : 543, "sched_rtds_vcpu_" + verb, domain, text);
        throw new XlFailure(libxl.fail(), log + "libxl_vcpu_sched_params_" + verb + " failed.\n");
      }
    }

    private void refuseOutOfRange(boolean all, SchedulerParameters wanted) {
      long period = wanted.get(Rtds.PERIOD).toNanos() / 1000;
      long budget = wanted.get(Rtds.BUDGET).toNanos() / 1000;
      if (period < 1) {
        throw range(all, 477, "Invalid VCPU period of " + period + " (it should be >= 1)");
      }
      if (budget < 1) {
        throw range(all, 483, "Invalid VCPU budget of " + budget + " (it should be >= 1)");
      }
      if (budget > period) {
        throw range(
            all,
            489,
            "VCPU budget must be smaller than or equal to period, but " + budget + " > " + period);
      }
    }

    private XlFailure range(boolean all, int line, String text) {
      return refusal(all, libxl.log("libxl_sched", line, "sched_rtds_validate_params", 0, text));
    }

    private String log(int line, String function, DomainState domain, String text) {
      return libxl.log("libxl_sched", line, function, domain.id(), text);
    }

    private XlFailure refusal(boolean all, String log) {
      String function =
          libxl.since(4, 7)
              ? (all ? "libxl_vcpu_sched_params_set_all" : "libxl_vcpu_sched_params_set")
              : "libxl_domain_sched_params_set";
      return new XlFailure(libxl.fail(), log + function + " failed.\n");
    }
  }
}
