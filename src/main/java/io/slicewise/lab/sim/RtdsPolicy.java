package io.slicewise.lab.sim;

import io.slicewise.lab.sim.SchedulerOptions.PoolLimits;
import io.slicewise.profile.Rtds;
import io.slicewise.profile.SchedulerParameters;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Xen's RTDS scheduler: global earliest-deadline-first among deferrable servers. With extratime, a
 * server that has used its budget continues at a lower level of urgency until its next period.
 */
final class RtdsPolicy implements Policy {
  private static final Duration LEAST = PoolLimits.micros(10);

  private final Engine engine;
  private final Pool pool;
  private final SchedulerOptions.Rtds options;
  private final int timer;

  /** Servers with budget, most urgent first. */
  private final List<RtdsVcpu> ready = new ArrayList<>();

  /** Servers that are runnable or running, next replenishment first. */
  private final List<RtdsVcpu> awake = new ArrayList<>();

  private final List<RtdsVcpu> due = new ArrayList<>();

  RtdsPolicy(Engine engine, Pool pool, SchedulerOptions.Rtds options) {
    this.engine = engine;
    this.pool = pool;
    this.options = options;
    this.timer = engine.timers.open(this::replenish);
  }

  private static RtdsVcpu unit(Vcpu v) {
    return (RtdsVcpu) v.data;
  }

  @Override
  public SchedulerOptions options() {
    return options;
  }

  @Override
  public void addPcpu(Pcpu p) {
    // The queue belongs to the pool.
  }

  @Override
  public void join(Vcpu v) {
    v.data = new RtdsVcpu(v, options.extratime());
    v.pcpu = place(v);
  }

  @Override
  public void leave(Vcpu v) {
    v.data = null;
  }

  @Override
  public Pcpu place(Vcpu v) {
    return pool.leastPopulated(v.allowed);
  }

  @Override
  public void wake(Vcpu v) {
    RtdsVcpu unit = unit(v);
    if (engine.now() >= unit.deadline) {
      unit.replenish(engine.now());
    }
    watch(unit);
    enqueue(unit);
  }

  @Override
  public void sleep(Vcpu v) {
    RtdsVcpu unit = unit(v);
    ready.remove(unit);
    unit.queued = false;
    unwatch(unit);
  }

  private void enqueue(RtdsVcpu unit) {
    unit.queued = true;
    if (unit.left > 0) {
      insert(unit);
      tickle(unit);
    }
  }

  private void insert(RtdsVcpu unit) {
    int at = ready.size();
    while (at > 0 && unit.beats(ready.get(at - 1))) {
      at--;
    }
    ready.add(at, unit);
  }

  private void watch(RtdsVcpu unit) {
    int at = awake.size();
    while (at > 0 && unit.deadline < awake.get(at - 1).deadline) {
      at--;
    }
    awake.add(at, unit);
    if (at == 0) {
      engine.timers.set(timer, engine.late(unit.deadline));
    }
  }

  private void unwatch(RtdsVcpu unit) {
    boolean first = awake.get(0) == unit;
    awake.remove(unit);
    if (first) {
      armReplenishment();
    }
  }

  private void armReplenishment() {
    engine.timers.set(timer, awake.isEmpty() ? Timers.NEVER : engine.late(awake.get(0).deadline));
  }

  private void replenish(long now) {
    due.clear();
    while (!awake.isEmpty() && awake.get(0).deadline <= now) {
      RtdsVcpu unit = awake.remove(0);
      if (unit.queued) {
        ready.remove(unit);
      }
      due.add(unit);
    }
    for (RtdsVcpu unit : due) {
      unit.replenish(now);
      watch(unit);
      if (unit.queued) {
        insert(unit);
      }
    }
    for (RtdsVcpu unit : due) {
      RtdsVcpu contender = unit.queued ? unit : ready.isEmpty() ? null : ready.get(0);
      if (contender != null) {
        tickle(contender);
      }
    }
    armReplenishment();
  }

  /** Pokes an idle pCPU for a queued vCPU, or the one with the least urgent work. */
  private void tickle(RtdsVcpu unit) {
    Pcpu home = unit.vcpu.pcpu;
    Pcpu idler = null;
    Pcpu latest = null;
    for (long left = unit.vcpu.allowed & pool.mask; left != 0; left &= left - 1) {
      Pcpu p = engine.pcpus[Long.numberOfTrailingZeros(left)];
      if (engine.isPoked(p)) {
        continue;
      }
      if (p.current == null) {
        idler = idler == null || p == home ? p : idler;
      } else if (latest == null || unit(latest.current).beats(unit(p.current))) {
        latest = p;
      }
    }
    if (idler != null) {
      engine.poke(idler);
    } else if (latest != null && unit.beats(unit(latest.current))) {
      engine.poke(latest);
    }
  }

  @Override
  public Vcpu schedule(Pcpu p) {
    long now = engine.now();
    RtdsVcpu current = p.current == null ? null : unit(p.current);
    if (current != null) {
      current.burn(now);
      if (!current.vcpu.runnable() || current.left <= 0) {
        current = null;
      }
    }
    RtdsVcpu next = mostUrgent(p);
    if (current != null && (next == null || !next.beats(current))) {
      next = current;
    }
    if (next == null) {
      p.sliceEnd = Timers.NEVER;
      return null;
    }
    if (next.queued) {
      ready.remove(next);
      next.queued = false;
    }
    next.chargedUntil = now;
    p.sliceEnd = now + next.left;
    return next.vcpu;
  }

  private RtdsVcpu mostUrgent(Pcpu p) {
    for (int i = 0; i < ready.size(); i++) {
      if (ready.get(i).vcpu.mayRunOn(p)) {
        return ready.get(i);
      }
    }
    return null;
  }

  @Override
  public void switchedOut(Pcpu p, Vcpu v) {
    if (v.runnable()) {
      enqueue(unit(v));
    } else {
      unwatch(unit(v));
    }
  }

  @Override
  public void close() {
    engine.timers.close(timer);
  }

  @Override
  public SchedulerParameters parameters(Vcpu v) {
    RtdsVcpu unit = unit(v);
    return Rtds.of(
        Duration.ofNanos(unit.periodNanos), Duration.ofNanos(unit.budgetNanos), unit.extratime);
  }

  /** Takes effect at the next replenishment, as in Xen, except for extratime. */
  @Override
  public void adjust(Vcpu v, SchedulerParameters wanted) {
    if (wanted.get(Rtds.PERIOD).compareTo(LEAST) < 0
        || wanted.get(Rtds.BUDGET).compareTo(LEAST) < 0
        || wanted.get(Rtds.BUDGET).compareTo(wanted.get(Rtds.PERIOD)) > 0) {
      throw HypervisorRefusal.invalid(
          "budget "
              + wanted.get(Rtds.BUDGET)
              + " in "
              + wanted.get(Rtds.PERIOD)
              + " is not 10 µs..period");
    }
    RtdsVcpu unit = unit(v);
    unit.periodNanos = wanted.get(Rtds.PERIOD).toNanos();
    unit.budgetNanos = wanted.get(Rtds.BUDGET).toNanos();
    unit.extratime = wanted.get(Rtds.EXTRATIME);
  }

  /** RTDS's view of a vCPU: a deferrable server. */
  private static final class RtdsVcpu {
    final Vcpu vcpu;

    long periodNanos = 10_000_000;
    long budgetNanos = 4_000_000;
    boolean extratime;

    /** End of the current period. */
    long deadline;

    /** The remaining budget. */
    long left;

    /** The number of early refills in this period; lower is more urgent. */
    int level;

    long chargedUntil;

    /** Whether it is on the run queue or among the depleted. */
    boolean queued;

    RtdsVcpu(Vcpu vcpu, boolean extratime) {
      this.vcpu = vcpu;
      this.extratime = extratime;
    }

    /** Starts the period that contains {@code now}. */
    void replenish(long now) {
      long periods = Math.max((now - deadline) / periodNanos + 1, 1);
      deadline += periods * periodNanos;
      left = budgetNanos;
      level = 0;
      chargedUntil = now;
    }

    void burn(long now) {
      left -= now - chargedUntil;
      chargedUntil = now;
      if (left <= 0) {
        left = extratime ? budgetNanos : 0;
        level += extratime ? 1 : 0;
      }
    }

    boolean beats(RtdsVcpu other) {
      return level < other.level || (level == other.level && deadline < other.deadline);
    }
  }
}
