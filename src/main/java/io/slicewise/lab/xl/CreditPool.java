package io.slicewise.lab.xl;

import io.slicewise.base.units.Phrase;
import io.slicewise.lab.host.PoolParameters;
import io.slicewise.lab.host.PoolState;
import io.slicewise.lab.shell.Getopt;
import io.slicewise.lab.shell.Invocation;
import io.slicewise.profile.Scheduler;
import java.io.IOException;

/** {@code xl sched-credit -s}: the parameters of a whole pool under credit. */
record CreditPool(Libxl libxl) {
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
