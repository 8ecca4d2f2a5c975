package io.slicewise.lab.xl;

import io.slicewise.lab.host.DomainState;
import io.slicewise.lab.host.PoolState;
import io.slicewise.lab.shell.Invocation;
import io.slicewise.profile.Scheduler;
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
}
