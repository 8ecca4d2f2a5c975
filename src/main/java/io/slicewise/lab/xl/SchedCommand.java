package io.slicewise.lab.xl;

import io.slicewise.lab.host.DomainState;
import io.slicewise.lab.host.Hypercalls.PoolState;
import io.slicewise.lab.shell.Getopt;
import io.slicewise.lab.shell.Invocation;
import io.slicewise.lab.shell.Program;
import io.slicewise.lab.sim.HypervisorRefusal;
import io.slicewise.lab.xl.Libxl.XlFailure;
import io.slicewise.profile.Scheduler;
import io.slicewise.profile.SchedulerParameters;
import java.io.IOException;
import java.util.Optional;
import java.util.function.Function;

/**
 * The command of one scheduler, which lists the pools that run it with their domains, shows one
 * domain, or sets one. If no pool runs the scheduler, the list is empty and succeeds.
 */
abstract class SchedCommand implements Program {
  final Libxl libxl;
  final Scheduler scheduler;
  private final String shorts;
  private final String longs;
  private final char pool;
  private final String setters;

  /**
   * @param shorts this version's options
   * @param longs the names of all versions' options
   * @param pool the option that selects a pool
   * @param setters the options that set something
   */
  SchedCommand(
      Libxl libxl, Scheduler scheduler, String shorts, String longs, char pool, String setters) {
    this.libxl = libxl;
    this.scheduler = scheduler;
    this.shorts = shorts;
    this.longs = longs;
    this.pool = pool;
    this.setters = setters;
  }

  @Override
  public final int run(Invocation invocation) throws IOException {
    Getopt options = libxl.options(invocation, shorts, longs);
    boolean sets = setters.chars().anyMatch(letter -> options.has((char) letter));
    refuseMixtures(options, sets);
    return answer(invocation, options, sets);
  }

  void refuseMixtures(Getopt options, boolean sets) {
    if (pool(options).isPresent() && (options.has('d') || sets)) {
      throw poolAlone();
    }
    if (!options.has('d') && sets) {
      throw new XlFailure(1, "Must specify a domain.\n");
    }
  }

  static XlFailure poolAlone() {
    return new XlFailure(1, "Specifying a cpupool is not allowed with other options.\n");
  }

  /** Returns the selected pool. An option without its argument selects none. */
  final Optional<String> pool(Getopt options) {
    return options.last(pool).filter(name -> !name.isEmpty());
  }

  int answer(Invocation invocation, Getopt options, boolean sets) throws IOException {
    Optional<String> selector = options.last('d');
    if (selector.isEmpty()) {
      return list(invocation, options);
    }
    return sets
        ? set(invocation, libxl.domain(selector.get()), options)
        : one(invocation, selector.get(), options);
  }

  /** Returns the line that names a pool. */
  abstract String line(PoolState listed);

  abstract String header(Getopt options);

  /** Returns the row or rows of a domain. */
  abstract String rows(DomainState domain, Getopt options);

  abstract int set(Invocation invocation, DomainState domain, Getopt options) throws IOException;

  private int list(Invocation invocation, Getopt options) throws IOException {
    Optional<PoolState> wanted =
        pool(options).map(name -> libxl.poolOrFail(name, libxl.failedList()));
    for (PoolState candidate : libxl.hypercalls().pools()) {
      boolean asked = wanted.isEmpty() || wanted.get().id() == candidate.id();
      if (candidate.scheduler() == scheduler && asked) {
        invocation.print("%s%s", line(candidate), header(options));
        for (DomainState domain : libxl.hypercalls().domains()) {
          if (domain.pool() == candidate.id()) {
            invocation.print("%s", rows(domain, options));
          }
        }
      }
    }
    return 0;
  }

  /** Prints the header first, then the rows or the failure. */
  private int one(Invocation invocation, String selector, Getopt options) throws IOException {
    if (libxl.uncheckedNumber(selector) && libxl.find(selector).isEmpty()) {
      invocation.print("%s", header(options));
      throw unknown(Integer.parseInt(selector));
    }
    DomainState domain = libxl.domain(selector);
    invocation.print("%s", header(options));
    Scheduler active = libxl.poolOf(domain).scheduler();
    if (active != scheduler) {
      throw new XlFailure(
          libxl.invalid(),
          "libxl_domain_sched_params_get returned %s not %s.\n"
              .formatted(active.xenName(), scheduler.xenName()));
    }
    invocation.print("%s", rows(domain, options));
    return 0;
  }

  /**
   * Returns the failure. The reason in its first line is an errno left by an earlier, unrelated
   * call of libxl.
   */
  private XlFailure unknown(int domid) {
    return failed(
        "libxl_domain_sched_params_get",
        libxl.log("libxl_dom", 76, "libxl__domain_cpupool", 0, "getinfolist failed 0: Bad address")
            + log(905, "libxl_domain_sched_params_get", domid, "Unknown scheduler"));
  }

  /**
   * Returns a line of libxl's log.
   *
   * @param line the source line that prints it
   */
  final String log(int line, String function, int domid, String text) {
    return libxl.log("libxl_sched", line, function, domid, text);
  }

  /** Returns the failure of a call of libxl's. */
  final XlFailure failed(String call, String log) {
    return new XlFailure(libxl.fail(), log + call + " failed.\n");
  }

  /** Sets a domain, or fails as the hypervisor's reason says. */
  final int set(
      DomainState domain, SchedulerParameters wanted, Function<String, XlFailure> failure) {
    try {
      libxl.hypercalls().setParameters(domain.id(), wanted);
      return 0;
    } catch (HypervisorRefusal refused) {
      throw failure.apply(refused.errno().message());
    }
  }
}
