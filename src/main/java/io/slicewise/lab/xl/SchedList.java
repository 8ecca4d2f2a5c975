package io.slicewise.lab.xl;

import io.slicewise.base.units.Phrase;
import io.slicewise.lab.host.DomainState;
import io.slicewise.lab.host.Hypercalls.HypercallException;
import io.slicewise.lab.host.Hypercalls.PoolState;
import io.slicewise.lab.shell.Getopt;
import io.slicewise.lab.shell.Invocation;
import io.slicewise.lab.xl.Libxl.XlFailure;
import io.slicewise.profile.Credit;
import io.slicewise.profile.Scheduler;
import io.slicewise.profile.SchedulerParameters;
import java.io.IOException;
import java.util.Optional;

/**
 * The listing shared by all scheduler commands: a pool line, a header and the pool's domains, for
 * every pool that runs the scheduler. If no pool does, it prints nothing and succeeds.
 */
record SchedList(Libxl libxl, Scheduler scheduler, String header, PoolLine pool, Rows rows) {
  /** Formats the line that names a pool. */
  @FunctionalInterface
  interface PoolLine {
    String of(PoolState pool);
  }

  /** Formats the row or rows of one domain. */
  @FunctionalInterface
  interface Rows {
    String of(DomainState domain);
  }

  int all(Invocation invocation, Optional<String> selector) throws IOException {
    Optional<PoolState> wanted = selector.map(name -> libxl.poolOrFail(name, libxl.failedList()));
    for (PoolState candidate : libxl.hypercalls().pools()) {
      boolean asked = wanted.isEmpty() || wanted.get().id() == candidate.id();
      if (candidate.scheduler() == scheduler && asked) {
        invocation.print("%s", pool.of(candidate));
        invocation.print("%s", header);
        for (DomainState domain : libxl.hypercalls().domains()) {
          if (domain.pool() == candidate.id()) {
            invocation.print("%s", rows.of(domain));
          }
        }
      }
    }
    return 0;
  }

  /** Prints one domain: the header first, then the row or the failure. */
  int one(Invocation invocation, String selector) throws IOException {
    DomainState domain = checked(invocation, selector);
    invocation.print("%s", header);
    refuseOtherScheduler(domain);
    invocation.print("%s", rows.of(domain));
    return 0;
  }

  private DomainState checked(Invocation invocation, String selector) throws IOException {
    Optional<DomainState> found = libxl.find(selector);
    if (found.isEmpty() && libxl.uncheckedNumber(selector)) {
      invocation.print("%s", header);
      throw new XlFailure(libxl.fail(), unknown(selector));
    }
    return libxl.domain(selector);
  }

  /**
   * Returns the error message. The reason in its first line is an errno left by an earlier,
   * unrelated call of libxl.
   */
  private String unknown(String selector) {
    int domid = Integer.parseInt(selector);
    return libxl.log(
            "libxl_dom", 76, "libxl__domain_cpupool", 0, "getinfolist failed 0: Bad address")
        + libxl.log("libxl_sched", 905, "libxl_domain_sched_params_get", domid, "Unknown scheduler")
        + "libxl_domain_sched_params_get failed.\n";
  }

  private void refuseOtherScheduler(DomainState domain) {
    Scheduler active = libxl.poolOf(domain).scheduler();
    if (active != scheduler) {
      throw new XlFailure(
          libxl.invalid(),
          "libxl_domain_sched_params_get returned %s not %s.\n"
              .formatted(active.xenName(), scheduler.xenName()));
    }
  }

  /**
   * The weight and cap of one domain under credit or credit2, as libxl checks and sets them. The
   * two differ only in names and in the source lines of their error messages.
   *
   * @param getLine the source line that reports a failed read
   */
  record LibxlCredit(Libxl libxl, Scheduler scheduler, int getLine) {
    /** libxl's value for "unchanged". */
    private static final int UNCHANGED = -1;

    static String row(DomainState domain) {
      return Phrase.of(
          "%-33s %4d %6d %4d\n",
          domain.name(),
          domain.id(),
          domain.parameters().get(Credit.WEIGHT),
          domain.parameters().get(Credit.CAP));
    }

    static String rowWithoutCap(DomainState domain) {
      int weight = domain.parameters().get(Credit.WEIGHT);
      return Phrase.of("%-33s %4d %6d\n", domain.name(), domain.id(), weight);
    }

    /** Sets the given values and keeps the others. Numbers are parsed as by strtol. */
    int set(DomainState domain, Optional<String> givenWeight, Optional<String> givenCap) {
      if (libxl.poolOf(domain).scheduler() != scheduler) {
        throw refusal(domain, getLine, getting() + ": Invalid argument");
      }
      int weight = givenWeight.map(Getopt::strtol).orElse(UNCHANGED);
      int cap = givenCap.map(Getopt::strtol).orElse(UNCHANGED);
      if (weight != UNCHANGED && (weight < 1 || weight > 65535)) {
        throw refusal(
            domain,
            getLine + 6,
            "Cpu weight out of range, valid values are within range from 1 to 65535");
      }
      int most = domain.vcpus().size() * 100;
      if (cap != UNCHANGED && (cap < 0 || cap > most)) {
        throw refusal(
            domain,
            getLine + 16,
            "Cpu cap out of range, valid range is from 0 to %s for specified number of vcpus"
                .formatted(most));
      }
      apply(domain, weight, cap);
      return 0;
    }

    private void apply(DomainState domain, int weight, int cap) {
      SchedulerParameters now = domain.parameters();
      int newWeight = weight == UNCHANGED ? now.get(Credit.WEIGHT) : weight;
      int newCap = cap == UNCHANGED ? now.get(Credit.CAP) : cap;
      try {
        libxl
            .hypercalls()
            .setParameters(
                domain.id(), now.with(Credit.WEIGHT, newWeight).with(Credit.CAP, newCap));
      } catch (HypercallException refused) {
        throw refusal(domain, getLine + 25, "setting domain sched " + refused.errno().message());
      }
    }

    private String getting() {
      return "Getting domain sched " + scheduler.xenName();
    }

    private XlFailure refusal(DomainState domain, int line, String text) {
      String function = "sched_" + scheduler.xenName() + "_domain_set";
      String log = libxl.log("libxl_sched", line, function, domain.id(), text);
      return new XlFailure(libxl.fail(), log + "libxl_domain_sched_params_set failed.\n");
    }
  }
}
