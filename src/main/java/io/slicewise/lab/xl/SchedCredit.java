package io.slicewise.lab.xl;

import io.slicewise.base.units.Phrase;
import io.slicewise.lab.host.PoolState;
import io.slicewise.lab.shell.Getopt;
import io.slicewise.lab.shell.Invocation;
import io.slicewise.lab.shell.Program;
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
    if (options.has('h')) {
      invocation.print("%s", Help.of(libxl, "sched-credit"));
      return 0;
    }
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
}
