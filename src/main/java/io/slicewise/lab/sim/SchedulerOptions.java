package io.slicewise.lab.sim;

import io.slicewise.profile.PoolWide;
import io.slicewise.profile.Scheduler;
import io.slicewise.profile.SchedulerParameters;
import java.time.Duration;
import java.time.temporal.ChronoUnit;

/**
 * The options of a cpupool: the scheduler, its version if versions distribute CPU time differently,
 * and its pool-wide settings. Each has constants for relevant versions of Xen.
 */
public sealed interface SchedulerOptions {
  Scheduler scheduler();

  /** Returns a scheduler with these options for a cpupool. */
  Policy policy(Pool pool, Engine engine, long seed);

  /**
   * Returns the options of a scheduler in a version of Xen, or of libvirt's host. A version without
   * it uses the nearest one that has it.
   *
   * @throws IllegalArgumentException for a scheduler that is not modelled
   */
  static SchedulerOptions of(Scheduler scheduler, int major, int minor) {
    int version = major * 100 + minor;
    return switch (scheduler.xenName()) {
      case "credit" -> Credit.of(version);
      case "credit2" -> version >= 408 || version < 401 ? Credit2.XEN_4_17 : Credit2.XEN_4_4;
      case "sedf" -> Sedf.of(version);
      case "cfs" -> Fair.LINUX;
      case "rtds" -> version >= 410 || version < 405 ? Rtds.XEN_4_17 : Rtds.XEN_4_5;
      case "null" -> Null.ANY;
      default ->
          throw new IllegalArgumentException(
              "scheduler " + scheduler.xenName() + " is not modelled");
    };
  }

  /** Returns these options with parameters of a whole cpupool. */
  default SchedulerOptions with(SchedulerParameters pool) {
    if (this instanceof Credit credit && pool.scheduler() == Scheduler.CREDIT_POOL) {
      return new Credit(
          credit.generation(),
          pool.get(PoolWide.TIMESLICE),
          pool.get(PoolWide.RATELIMIT),
          pool.get(PoolWide.MIGRATION_DELAY));
    }
    if (this instanceof Credit2 credit && pool.scheduler() == Scheduler.CREDIT2_POOL) {
      return new Credit2(
          pool.get(PoolWide.RATELIMIT), credit.longestSlice(), credit.pcpusPerRunqueue());
    }
    return this;
  }

  /**
   * Credit.
   *
   * @param timeslice 1 ms..1 s
   * @param ratelimit minimum time before a vCPU may be preempted; 0 = off, otherwise 100 µs..500 ms
   *     and at most the timeslice
   * @param migrationDelay a vCPU that ran less than this ago is not stolen; 0..100 ms
   */
  record Credit(
      CreditGeneration generation, Duration timeslice, Duration ratelimit, Duration migrationDelay)
      implements SchedulerOptions {
    public static final Credit XEN_3_3 = of(CreditGeneration.XEN_3_3, 0);
    public static final Credit XEN_4_0 = of(CreditGeneration.XEN_4_0, 0);
    public static final Credit XEN_4_1 = of(CreditGeneration.XEN_4_1, 0);

    /** Xen 4.2 to 4.6: generation 4.1 with a ratelimit. */
    public static final Credit XEN_4_4 = of(CreditGeneration.XEN_4_1, 1000);

    public static final Credit XEN_4_17 = of(CreditGeneration.XEN_4_17, 1000);

    public Credit {
      PoolLimits.within(timeslice, Duration.ofMillis(1), Duration.ofSeconds(1), "timeslice");
      PoolLimits.ratelimit(ratelimit);
      if (ratelimit.compareTo(timeslice) > 0) {
        throw HypervisorRefusal.invalid("ratelimit " + ratelimit + " exceeds the timeslice");
      }
      PoolLimits.within(migrationDelay, Duration.ZERO, Duration.ofMillis(100), "migration delay");
    }

    private static Credit of(int version) {
      if (version >= 407) {
        return XEN_4_17;
      }
      if (version >= 402) {
        return XEN_4_4;
      }
      if (version >= 401) {
        return XEN_4_1;
      }
      return version >= 400 ? XEN_4_0 : XEN_3_3;
    }

    private static Credit of(CreditGeneration generation, long ratelimitMicros) {
      return new Credit(
          generation, Duration.ofMillis(30), PoolLimits.micros(ratelimitMicros), Duration.ZERO);
    }

    @Override
    public Scheduler scheduler() {
      return Scheduler.CREDIT;
    }

    @Override
    public Policy policy(Pool pool, Engine engine, long seed) {
      return new CreditPolicy(pool, engine, this, seed);
    }
  }

  /**
   * Credit2.
   *
   * @param ratelimit as for {@link Credit}; 0 where Xen has none (up to 4.7)
   * @param longestSlice 2 ms up to Xen 4.7, 10 ms since
   * @param pcpusPerRunqueue number of adjacent pCPUs per run queue, 1..64
   */
  record Credit2(Duration ratelimit, Duration longestSlice, int pcpusPerRunqueue)
      implements SchedulerOptions {
    public static final Credit2 XEN_4_4 = new Credit2(Duration.ZERO, Duration.ofMillis(2), 16);
    public static final Credit2 XEN_4_17 =
        new Credit2(PoolLimits.micros(1000), Duration.ofMillis(10), 16);

    public Credit2 {
      PoolLimits.ratelimit(ratelimit);
      PoolLimits.within(longestSlice, Duration.ofMillis(1), Duration.ofSeconds(1), "longest slice");
      if (pcpusPerRunqueue < 1 || pcpusPerRunqueue > Long.SIZE) {
        throw HypervisorRefusal.invalid(pcpusPerRunqueue + " pCPUs a run queue is not in 1..64");
      }
    }

    @Override
    public Scheduler scheduler() {
      return Scheduler.CREDIT2;
    }

    @Override
    public Policy policy(Pool pool, Engine engine, long seed) {
      return new Credit2Policy(pool, engine, this);
    }
  }

  /**
   * Simple EDF.
   *
   * @param dom0Reserved SimDomain-0 starts with 15 ms in 20 ms per vCPU instead of best effort
   */
  record Sedf(boolean dom0Reserved, Placement placement) implements SchedulerOptions {
    /**
     * Guests that keep their periodic timer, as kernels of that time did, stay where they began.
     */
    public static final Sedf XEN_3_3 = new Sedf(true, Placement.SPREAD);

    public static final Sedf XEN_4_1 = new Sedf(true, Placement.FIRST);
    public static final Sedf XEN_4_4 = new Sedf(false, Placement.BY_VCPU);

    private static Sedf of(int version) {
      if (version >= 402) {
        return XEN_4_4;
      }
      return version >= 401 ? XEN_4_1 : XEN_3_3;
    }

    /** The pCPU a vCPU lives on, among those it may run on; sEDF never balances. */
    public enum Placement {
      /** The least populated when the vCPU is made. */
      SPREAD,
      /** The first: Xen up to 4.2.1 once a guest stops its periodic timer. */
      FIRST,
      /** vCPU n on the n-th: Xen 4.3 to 4.5. */
      BY_VCPU
    }

    @Override
    public Scheduler scheduler() {
      return Scheduler.SEDF;
    }

    @Override
    public Policy policy(Pool pool, Engine engine, long seed) {
      return new SedfPolicy(pool, engine, this);
    }
  }

  /**
   * RTDS.
   *
   * @param extratime what a new vCPU starts with: on since Xen 4.10, unknown to older ones
   */
  record Rtds(boolean extratime) implements SchedulerOptions {
    public static final Rtds XEN_4_5 = new Rtds(false);
    public static final Rtds XEN_4_17 = new Rtds(true);

    @Override
    public Scheduler scheduler() {
      return Scheduler.RTDS;
    }

    @Override
    public Policy policy(Pool pool, Engine engine, long seed) {
      return new RtdsPolicy(engine, pool, this);
    }
  }

  /** The scheduler without settings that gives each vCPU a pCPU of its own. */
  record Null() implements SchedulerOptions {
    static final Null ANY = new Null();

    @Override
    public Scheduler scheduler() {
      return Scheduler.NULL;
    }

    @Override
    public Policy policy(Pool pool, Engine engine, long seed) {
      return new NullPolicy(pool, engine);
    }
  }

  /**
   * The fair scheduler of a Linux host.
   *
   * @param slice how long a thread runs before another's turn
   */
  record Fair(Duration slice) implements SchedulerOptions {
    /** As kernels with HZ=250 have it: one tick. */
    public static final Fair LINUX = new Fair(Duration.ofMillis(4));

    public Fair {
      PoolLimits.within(slice, PoolLimits.micros(100), Duration.ofMillis(100), "slice");
    }

    @Override
    public Scheduler scheduler() {
      return Scheduler.CFS;
    }

    @Override
    public Policy policy(Pool pool, Engine engine, long seed) {
      return new FairPolicy(pool, engine, this);
    }
  }

  /** Generations of the credit scheduler, by changes that affect the distribution of CPU time. */
  enum CreditGeneration {
    /** Xen 3.0.3 to 3.4: the vCPU that runs at the tick pays for the whole tick. */
    XEN_3_3(true, false, false, true, false),
    /** Xen 4.0: run time is measured. */
    XEN_4_0(false, false, false, true, false),
    /** Xen 4.1 to 4.6: weights count per vCPU, and surplus credit is halved instead of lost. */
    XEN_4_1(false, true, true, true, false),
    /** Xen 4.7 and later: no boost after a migration; an idle pCPU is preferred to preemption. */
    XEN_4_17(false, true, true, false, true);

    private final boolean sampledDebit;
    private final boolean weightPerVcpu;
    private final boolean halvesSurplus;
    private final boolean boostsMigrated;
    private final boolean prefersIdlers;

    CreditGeneration(
        boolean sampledDebit,
        boolean weightPerVcpu,
        boolean halvesSurplus,
        boolean boostsMigrated,
        boolean prefersIdlers) {
      this.sampledDebit = sampledDebit;
      this.weightPerVcpu = weightPerVcpu;
      this.halvesSurplus = halvesSurplus;
      this.boostsMigrated = boostsMigrated;
      this.prefersIdlers = prefersIdlers;
    }

    boolean sampledDebit() {
      return sampledDebit;
    }

    boolean weightPerVcpu() {
      return weightPerVcpu;
    }

    boolean halvesSurplus() {
      return halvesSurplus;
    }

    boolean boostsMigrated() {
      return boostsMigrated;
    }

    boolean wakesOneIdler() {
      return weightPerVcpu; // both came with 4.1
    }

    boolean prefersIdlers() {
      return prefersIdlers;
    }
  }

  /** The hypervisor's ranges for pool-wide settings. */
  final class PoolLimits {
    private PoolLimits() {}

    static Duration micros(long micros) {
      return Duration.of(micros, ChronoUnit.MICROS);
    }

    static void ratelimit(Duration value) {
      if (!value.isZero()) {
        within(value, micros(100), Duration.ofMillis(500), "ratelimit");
      }
    }

    static void within(Duration value, Duration least, Duration most, String what) {
      if (value.compareTo(least) < 0 || value.compareTo(most) > 0) {
        throw HypervisorRefusal.invalid(what + " " + value + " is not in " + least + ".." + most);
      }
    }
  }
}
