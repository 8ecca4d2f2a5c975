package io.slicewise.lab.xl;

import io.slicewise.base.units.Phrase;
import io.slicewise.lab.host.DomainState;
import io.slicewise.lab.host.Hypercalls.PoolState;
import io.slicewise.lab.shell.Getopt;
import io.slicewise.lab.shell.Invocation;
import io.slicewise.lab.sim.SchedulerOptions;
import io.slicewise.lab.xl.Libxl.XlFailure;
import io.slicewise.profile.Credit;
import io.slicewise.profile.Scheduler;
import io.slicewise.profile.SchedulerParameters;
import java.io.IOException;
import java.time.Duration;
import java.time.temporal.ChronoUnit;

/**
 * {@code xl sched-credit}, and {@code xl sched-credit2} from 4.2 on: {@code -s} from 4.2 or 4.8,
 * {@code -c} of credit2 from 4.10. The two differ in the pool's parameters, in names and in the
 * source lines of their messages.
 */
final class SchedCredit extends SchedCommand {
  private static final String LONGS =
      "domain=d: weight=w: cap=c: schedparam=s tslice_ms=t: ratelimit_us=r: cpupool=p:"
          + " migration_delay_us=m:";

  /** libxl's value for "unchanged". */
  private static final int UNCHANGED = -1;

  private final boolean second;

  private SchedCredit(Libxl libxl, Scheduler scheduler, String shorts) {
    super(libxl, scheduler, shorts, LONGS, 'p', "wc");
    second = scheduler == Scheduler.CREDIT2;
  }

  static SchedCredit first(Libxl libxl) {
    String since42 = libxl.since(4, 11) ? "d:w:c:p:t:r:m:s" : "d:w:c:p:t:r:s";
    return new SchedCredit(libxl, Scheduler.CREDIT, libxl.since(4, 2) ? since42 : "d:w:c:");
  }

  static SchedCredit second(Libxl libxl) {
    String since48 = libxl.since(4, 10) ? "d:w:c:p:r:s" : "d:w:p:r:s";
    return new SchedCredit(libxl, Scheduler.CREDIT2, libxl.since(4, 8) ? since48 : "d:w:p:");
  }

  @Override
  void refuseMixtures(Getopt options, boolean sets) {
    if ((options.has('p') || options.has('s')) && (options.has('d') || sets)) {
      throw second
          ? poolAlone()
          : new XlFailure(
              1, "Specifying a cpupool or schedparam is not allowed with domain options.\n");
    }
    super.refuseMixtures(options, sets);
    if (!second && !options.has('s') && setsPool(options)) {
      throw new XlFailure(1, "Must specify schedparam to set schedule parameter values.\n");
    }
  }

  private static boolean setsPool(Getopt options) {
    return options.has('t') || options.has('r') || options.has('m');
  }

  @Override
  int answer(Invocation invocation, Getopt options, boolean sets) throws IOException {
    return options.has('s')
        ? poolWide(invocation, options)
        : super.answer(invocation, options, sets);
  }

  private boolean caps() {
    return !second || libxl.since(4, 10);
  }

  @Override
  String header(Getopt options) {
    return Phrase.of("%-33s %4s %6s", "Name", "ID", "Weight") + (caps() ? "  Cap\n" : "\n");
  }

  @Override
  String rows(DomainState domain, Getopt options) {
    SchedulerParameters now = domain.parameters();
    return Phrase.of("%-33s %4d %6d", domain.name(), domain.id(), now.get(Credit.WEIGHT))
        + (caps() ? Phrase.of(" %4d\n", now.get(Credit.CAP)) : "\n");
  }

  /** Sets the given values and keeps the others. Numbers are parsed as by strtol. */
  @Override
  int set(Invocation invocation, DomainState domain, Getopt options) {
    int source = second ? 439 : 232;
    if (libxl.poolOf(domain).scheduler() != scheduler) {
      throw refusal(
          domain,
          source,
          "Getting domain sched %s: Invalid argument".formatted(scheduler.xenName()));
    }
    int weight = options.last('w').map(Getopt::strtol).orElse(UNCHANGED);
    int cap = options.last('c').map(Getopt::strtol).orElse(UNCHANGED);
    if (weight != UNCHANGED && (weight < 1 || weight > 65535)) {
      throw refusal(
          domain,
          source + 6,
          "Cpu weight out of range, valid values are within range from 1 to 65535");
    }
    int most = domain.vcpus().size() * 100;
    if (cap != UNCHANGED && (cap < 0 || cap > most)) {
      throw refusal(
          domain,
          source + 16,
          "Cpu cap out of range, valid range is from 0 to %s for specified number of vcpus"
              .formatted(most));
    }
    SchedulerParameters now = domain.parameters();
    SchedulerParameters wanted =
        now.with(Credit.WEIGHT, weight == UNCHANGED ? now.get(Credit.WEIGHT) : weight)
            .with(Credit.CAP, cap == UNCHANGED ? now.get(Credit.CAP) : cap);
    return set(domain, wanted, why -> refusal(domain, source + 25, "setting domain sched " + why));
  }

  private XlFailure refusal(DomainState domain, int source, String text) {
    String function = "sched_" + scheduler.xenName() + "_domain_set";
    return failed("libxl_domain_sched_params_set", log(source, function, domain.id(), text));
  }

  @Override
  String line(PoolState pool) {
    if (pool.options() instanceof SchedulerOptions.Credit2 credit2) {
      return libxl.since(4, 8)
          ? Phrase.of("Cpupool %s: ratelimit=%dus\n", pool.name(), micros(credit2.ratelimit()))
          : "Cpupool " + pool.name() + ":\n";
    }
    SchedulerOptions.Credit credit = (SchedulerOptions.Credit) pool.options();
    String delay =
        libxl.since(4, 11) ? " migration-delay=" + micros(credit.migrationDelay()) + "us" : "";
    return libxl.since(4, 2)
        ? Phrase.of(
            "Cpupool %s: tslice=%dms ratelimit=%dus%s\n",
            pool.name(), credit.timeslice().toMillis(), micros(credit.ratelimit()), delay)
        : "";
  }

  private static int micros(Duration time) {
    return (int) (time.toNanos() / 1000);
  }

  private int poolWide(Invocation invocation, Getopt options) throws IOException {
    PoolState pool = libxl.poolOrFail(pool(options).orElse("0"), libxl.fail());
    boolean sets = setsPool(options);
    if (pool.scheduler() != scheduler) {
      if (!sets) {
        invocation.print("Cpupool %s: [sched params unavailable]\n", pool.name());
      }
      String text = "getting Credit%s scheduler parameters: Invalid argument";
      String get = "libxl_sched_" + scheduler.xenName() + "_params_get";
      String log = log(second ? 374 : 287, get, 0, text.formatted(second ? "2" : ""));
      invocation.complain("%s%s failed.\n", log, get);
      return sets ? libxl.fail() : 0;
    }
    if (sets) {
      libxl.hypercalls().setPoolOptions(pool.id(), wanted(pool.options(), options));
    } else {
      invocation.print("%s", line(pool));
    }
    return 0;
  }

  private SchedulerOptions wanted(SchedulerOptions now, Getopt options) {
    if (now instanceof SchedulerOptions.Credit2 credit2) {
      int ratelimit = ratelimit(options, credit2.ratelimit(), 398);
      return new SchedulerOptions.Credit2(
          time(ratelimit), credit2.longestSlice(), credit2.pcpusPerRunqueue());
    }
    SchedulerOptions.Credit credit = (SchedulerOptions.Credit) now;
    int tslice = options.last('t').map(Getopt::strtol).orElse((int) credit.timeslice().toMillis());
    if (tslice < 1 || tslice > 1000) {
      throw refusal(311, "Time slice out of range, valid range is from 1 to 1000");
    }
    int ratelimit = ratelimit(options, credit.ratelimit(), 316);
    if (ratelimit > tslice * 1000) {
      throw refusal(321, "Ratelimit cannot be greater than timeslice");
    }
    int delay = options.last('m').map(Getopt::strtol).orElse(micros(credit.migrationDelay()));
    if (delay < 0 || delay > 100_000) {
      throw refusal(326, "vcpu migration delay should be >= 0 and <= 100000us");
    }
    return new SchedulerOptions.Credit(
        credit.generation(), Duration.ofMillis(tslice), time(ratelimit), time(delay));
  }

  private static Duration time(int micros) {
    return Duration.of(micros, ChronoUnit.MICROS);
  }

  private int ratelimit(Getopt options, Duration now, int source) {
    int micros = options.last('r').map(Getopt::strtol).orElse(micros(now));
    if (!(micros == 0 && libxl.since(4, 8)) && (micros < 100 || micros > 500_000)) {
      throw refusal(source, "Ratelimit out of range, valid range is from 100 to 500000");
    }
    return micros;
  }

  private XlFailure refusal(int source, String text) {
    String set = "libxl_sched_" + scheduler.xenName() + "_params_set";
    return failed(set, log(source, set, 0, text));
  }
}
