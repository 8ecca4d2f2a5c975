package io.slicewise.lab.xl;

import io.slicewise.base.units.Phrase;
import io.slicewise.lab.host.Hypercalls.PoolState;
import io.slicewise.lab.host.Hypercalls.PoolState.PoolParameters;
import io.slicewise.lab.shell.Getopt;
import io.slicewise.lab.shell.Invocation;
import io.slicewise.lab.shell.Program;
import io.slicewise.lab.xl.Libxl.XlFailure;
import io.slicewise.lab.xl.SchedList.LibxlCredit;
import io.slicewise.profile.Scheduler;
import java.io.IOException;

/** {@code xl sched-credit}. */
final class SchedCredit implements Program {
  private static final String HEADER =
      Phrase.of("%-33s %4s %6s %4s\n", "Name", "ID", "Weight", "Cap");
  private static final String LONGS =
      "domain=d: weight=w: cap=c: schedparam=s tslice_ms=t: ratelimit_us=r: cpupool=p:";
  private static final String LONGS_WITH_DELAY = LONGS + " migration_delay_us=m:";

  private final Libxl libxl;
  private final CreditPool pools;
  private final LibxlCredit domains;
  private final SchedList list;

  SchedCredit(Libxl libxl) {
    this.libxl = libxl;
    this.pools = new CreditPool(libxl);
    this.domains = new LibxlCredit(libxl, Scheduler.CREDIT, 232);
    this.list =
        new SchedList(
            libxl,
            Scheduler.CREDIT,
            HEADER,
            pool -> libxl.since(4, 2) ? pools.line(pool) : "",
            LibxlCredit::row);
  }

  @Override
  public int run(Invocation invocation) throws IOException {
    Getopt options = options(invocation);
    refuseMixtures(options);
    if (options.has('s')) {
      return pools.run(invocation, options);
    }
    if (options.last('d').isEmpty()) {
      return list.all(invocation, options.last('p'));
    }
    String selector = options.last('d').get();
    return options.has('w') || options.has('c')
        ? domains.set(libxl.domain(selector), options.last('w'), options.last('c'))
        : list.one(invocation, selector);
  }

  private Getopt options(Invocation invocation) throws IOException {
    if (!libxl.since(4, 2)) {
      return libxl.options(invocation, "d:w:c:", "");
    }
    return libxl.since(4, 11)
        ? libxl.options(invocation, "d:w:c:p:t:r:m:s", LONGS_WITH_DELAY)
        : libxl.options(invocation, "d:w:c:p:t:r:s", LONGS);
  }

  private static void refuseMixtures(Getopt options) {
    boolean sets = options.has('w') || options.has('c');
    if ((options.has('p') || options.has('s')) && (options.has('d') || sets)) {
      throw new XlFailure(
          1, "Specifying a cpupool or schedparam is not allowed with domain options.\n");
    }
    if (!options.has('d') && sets) {
      throw new XlFailure(1, "Must specify a domain.\n");
    }
    if (!options.has('s') && (options.has('t') || options.has('r') || options.has('m'))) {
      throw new XlFailure(1, "Must specify schedparam to set schedule parameter values.\n");
    }
  }

  /** Returns the selected pool, or Pool-0 without a selector. */
  static PoolState pool(Libxl libxl, Getopt options) {
    return libxl.poolOrFail(options.last('p').orElse("0"), libxl.fail());
  }

  /** {@code xl sched-credit -s}: the parameters of a whole pool under credit. */
  private record CreditPool(Libxl libxl) {
    String line(PoolState pool) {
      PoolParameters parameters = pool.parameters();
      String line =
          Phrase.of(
              "Cpupool %s: tslice=%dms ratelimit=%dus",
              pool.name(), parameters.tsliceMillis(), parameters.ratelimitMicros());
      return libxl.since(4, 11)
          ? line + " migration-delay=" + parameters.migrationDelayMicros() + "us\n"
          : line + "\n";
    }

    int run(Invocation invocation, Getopt options) throws IOException {
      PoolState pool = SchedCredit.pool(libxl, options);
      boolean sets = options.has('t') || options.has('r') || options.has('m');
      if (pool.scheduler() != Scheduler.CREDIT) {
        if (!sets) {
          invocation.print("Cpupool %s: [sched params unavailable]\n", pool.name());
        }
        invocation.complain("%s", unavailable());
        return sets ? libxl.fail() : 0;
      }
      if (!sets) {
        invocation.print("%s", line(pool));
        return 0;
      }
      PoolParameters now = pool.parameters();
      libxl
          .hypercalls()
          .setPoolParameters(
              pool.id(),
              checked(
                  options.last('t').map(Getopt::strtol).orElse(now.tsliceMillis()),
                  options.last('r').map(Getopt::strtol).orElse(now.ratelimitMicros()),
                  options.last('m').map(Getopt::strtol).orElse(now.migrationDelayMicros())));
      return 0;
    }

    private PoolParameters checked(int tslice, int ratelimit, int delay) {
      if (tslice < 1 || tslice > 1000) {
        throw refusal(311, "Time slice out of range, valid range is from 1 to 1000");
      }
      if (!(ratelimit == 0 && libxl.since(4, 8)) && (ratelimit < 100 || ratelimit > 500_000)) {
        throw refusal(316, "Ratelimit out of range, valid range is from 100 to 500000");
      }
      if (ratelimit > tslice * 1000) {
        throw refusal(321, "Ratelimit cannot be greater than timeslice");
      }
      if (delay < 0 || delay > 100_000) {
        throw refusal(326, "vcpu migration delay should be >= 0 and <= 100000us");
      }
      return new PoolParameters(tslice, ratelimit, delay);
    }

    private XlFailure refusal(int line, String text) {
      String log = libxl.log("libxl_sched", line, "libxl_sched_credit_params_set", 0, text);
      return new XlFailure(libxl.fail(), log + "libxl_sched_credit_params_set failed.\n");
    }

    private String unavailable() {
      return libxl.log(
              "libxl_sched",
              287,
              "libxl_sched_credit_params_get",
              0,
              "getting Credit scheduler parameters: Invalid argument")
          + "libxl_sched_credit_params_get failed.\n";
    }
  }
}
