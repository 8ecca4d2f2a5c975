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

/** {@code xl sched-credit2}, from 4.2 on; {@code -s} from 4.8, {@code -c} from 4.10. */
final class SchedCredit2 implements Program {
  private final Libxl libxl;
  private final LibxlCredit domains;
  private final SchedList list;

  SchedCredit2(Libxl libxl) {
    this.libxl = libxl;
    this.domains = new LibxlCredit(libxl, Scheduler.CREDIT2, 439);
    this.list =
        new SchedList(
            libxl,
            Scheduler.CREDIT2,
            header(libxl.since(4, 10)),
            this::line,
            libxl.since(4, 10) ? LibxlCredit::row : LibxlCredit::rowWithoutCap);
  }

  private static String header(boolean cap) {
    return cap
        ? Phrase.of("%-33s %4s %6s %4s\n", "Name", "ID", "Weight", "Cap")
        : Phrase.of("%-33s %4s %6s\n", "Name", "ID", "Weight");
  }

  @Override
  public int run(Invocation invocation) throws IOException {
    Getopt options = options(invocation);
    boolean sets = options.has('w') || options.has('c');
    if ((options.has('p') || options.has('s')) && (options.has('d') || sets)) {
      throw new XlFailure(1, "Specifying a cpupool is not allowed with other options.\n");
    }
    if (!options.has('d') && sets) {
      throw new XlFailure(1, "Must specify a domain.\n");
    }
    if (options.has('s')) {
      return poolWide(invocation, options);
    }
    if (options.last('d').isEmpty()) {
      return list.all(invocation, options.last('p'));
    }
    String selector = options.last('d').get();
    return sets
        ? domains.set(libxl.domain(selector), options.last('w'), options.last('c'))
        : list.one(invocation, selector);
  }

  private Getopt options(Invocation invocation) throws IOException {
    if (!libxl.since(4, 8)) {
      return libxl.options(invocation, "d:w:p:", "domain=d: weight=w: cpupool=p:");
    }
    if (!libxl.since(4, 10)) {
      return libxl.options(
          invocation, "d:w:p:r:s", "domain=d: weight=w: cpupool=p: schedparam=s ratelimit_us=r:");
    }
    return libxl.options(
        invocation,
        "d:w:c:p:r:s",
        "domain=d: weight=w: cap=c: cpupool=p: schedparam=s ratelimit_us=r:");
  }

  private String line(PoolState pool) {
    return libxl.since(4, 8)
        ? "Cpupool " + pool.name() + ": ratelimit=" + pool.parameters().ratelimitMicros() + "us\n"
        : "Cpupool " + pool.name() + ":\n";
  }

  private int poolWide(Invocation invocation, Getopt options) throws IOException {
    PoolState pool = SchedCredit.pool(libxl, options);
    boolean sets = options.has('r');
    if (pool.scheduler() != Scheduler.CREDIT2) {
      if (!sets) {
        invocation.print("Cpupool %s: [sched params unavailable]\n", pool.name());
      }
      String log =
          libxl.log(
              "libxl_sched",
              374,
              "libxl_sched_credit2_params_get",
              0,
              "getting Credit2 scheduler parameters: Invalid argument");
      invocation.complain("%slibxl_sched_credit2_params_get failed.\n", log);
      return sets ? libxl.fail() : 0;
    }
    if (!sets) {
      invocation.print("%s", line(pool));
      return 0;
    }
    setRatelimit(pool, Getopt.strtol(options.last('r').orElse("")));
    return 0;
  }

  private void setRatelimit(PoolState pool, int ratelimit) {
    if (ratelimit != 0 && (ratelimit < 100 || ratelimit > 500_000)) {
      String log =
          libxl.log(
              "libxl_sched",
              398,
              "libxl_sched_credit2_params_set",
              0,
              "Ratelimit out of range, valid range is from 100 to 500000");
      throw new XlFailure(libxl.fail(), log + "libxl_sched_credit2_params_set failed.\n");
    }
    libxl
        .hypercalls()
        .setPoolParameters(
            pool.id(),
            new PoolParameters(
                pool.parameters().tsliceMillis(),
                ratelimit,
                pool.parameters().migrationDelayMicros()));
  }
}
