package io.slicewise.lab.sim;

import io.slicewise.lab.sim.Domains.SimDomain;
import io.slicewise.lab.sim.SedfQueues.SedfVcpu;
import io.slicewise.profile.SchedulerParameters;
import io.slicewise.profile.Sedf;
import java.time.Duration;

/**
 * Xen's simple EDF scheduler. Each pCPU independently serves slices by earliest deadline. It
 * distributes spare time in quanta, first to vCPUs that lost time by blocking, then by weight.
 */
final class SedfPolicy implements Policy {
  private static final long PERIOD_LEAST_NANOS = 10_000;
  private static final long PERIOD_MOST_NANOS = 10_000_000_000L;
  private static final long SLICE_LEAST_NANOS = 5_000;
  private static final long WEIGHT_SAFETY_NANOS = 5_000_000;
  private static final long DOM0_PERIOD_NANOS = 20_000_000;
  private static final long DOM0_SLICE_NANOS = 15_000_000;

  private final Pool pool;
  private final Engine engine;
  private final SchedulerOptions.Sedf options;

  SedfPolicy(Pool pool, Engine engine, SchedulerOptions.Sedf options) {
    this.pool = pool;
    this.engine = engine;
    this.options = options;
  }

  private static SedfVcpu unit(Vcpu v) {
    return (SedfVcpu) v.data;
  }

  private static SedfQueues queues(Pcpu p) {
    return (SedfQueues) p.data;
  }

  @Override
  public SchedulerOptions options() {
    return options;
  }

  @Override
  public void addPcpu(Pcpu p) {
    p.data = new SedfQueues(engine.punctual());
  }

  @Override
  public void join(Vcpu v) {
    SedfVcpu unit = new SedfVcpu(v);
    if (v.domain.domid == SimDomain.DOM0 && options.dom0Reserved()) {
      unit.periodNanos = DOM0_PERIOD_NANOS;
      unit.sliceNanos = DOM0_SLICE_NANOS;
    }
    v.data = unit;
    v.pcpu = place(v);
  }

  @Override
  public void leave(Vcpu v) {
    v.data = null;
    shareByWeight();
  }

  @Override
  public Pcpu place(Vcpu v) {
    return switch (options.placement()) {
      case FIRST -> pool.first(v.allowed);
      case SPREAD -> pool.leastPopulated(v.allowed);
      case BY_VCPU -> {
        long allowed = v.allowed;
        for (int i = v.index % Long.bitCount(allowed); i > 0; i--) {
          allowed &= allowed - 1;
        }
        yield pool.first(allowed);
      }
    };
  }

  @Override
  public void wake(Vcpu v) {
    SedfQueues queues = queues(v.pcpu);
    SedfVcpu unit = unit(v);
    SedfVcpu current = v.pcpu.current == null ? null : unit(v.pcpu.current);
    if (current != null && queues.endsRun(v.pcpu, current, engine.now())) {
      engine.arm(v.pcpu);
    }
    queues.wake(unit, engine.now());
    if (queues.disturbs(unit, current, v.pcpu.sliceEnd)) {
      engine.poke(v.pcpu);
    }
  }

  @Override
  public void sleep(Vcpu v) {
    SedfVcpu unit = unit(v);
    unit.blockedNanos = engine.now();
    foregoPlan(v.pcpu);
    queues(v.pcpu).sleep(unit);
  }

  /** Shortens a run of several quanta, because another vCPU may now be due some of them. */
  private void foregoPlan(Pcpu p) {
    SedfVcpu current = p.current == null ? null : unit(p.current);
    if (current != null && current.quanta > 1 && queues(p).endsRun(p, current, engine.now())) {
      engine.arm(p);
    }
  }

  @Override
  public Vcpu schedule(Pcpu p) {
    SedfQueues queues = queues(p);
    if (p.current != null) {
      queues.stop(unit(p.current), engine.now());
    }
    SedfVcpu next = queues.choose(p, engine.now());
    return next == null ? null : next.vcpu;
  }

  @Override
  public SchedulerParameters parameters(Vcpu v) {
    SedfVcpu unit = unit(v);
    return Sedf.of(
        Duration.ofNanos(unit.periodNanos),
        Duration.ofNanos(unit.sliceNanos),
        Duration.ofNanos(unit.latencyNanos),
        unit.extratime,
        unit.weight);
  }

  @Override
  public void adjust(Vcpu v, SchedulerParameters wanted) {
    SedfVcpu unit = unit(v);
    if (wanted.get(Sedf.WEIGHT) == 0) {
      reserve(unit, wanted.get(Sedf.PERIOD).toNanos(), wanted.get(Sedf.SLICE).toNanos());
    } else if (wanted.get(Sedf.EXTRATIME) && wanted.get(Sedf.PERIOD).isZero()) {
      unit.extraWeight = wanted.get(Sedf.WEIGHT);
      unit.weight = 0;
      unit.sliceNanos = 0;
      unit.periodNanos = SedfVcpu.WEIGHT_PERIOD_NANOS;
    } else {
      unit.weight = wanted.get(Sedf.WEIGHT);
    }
    unit.latencyNanos = wanted.get(Sedf.LATENCY).toNanos();
    unit.extratime = wanted.get(Sedf.EXTRATIME);
    shareByWeight();
    for (long left = pool.mask; left != 0; left &= left - 1) {
      queues(engine.pcpus[Long.numberOfTrailingZeros(left)]).revisePeriods();
    }
    queues(v.pcpu).reviseExtratime(unit);
    engine.poke(v.pcpu);
  }

  private static void reserve(SedfVcpu unit, long periodNanos, long sliceNanos) {
    if (periodNanos < PERIOD_LEAST_NANOS
        || periodNanos > PERIOD_MOST_NANOS
        || sliceNanos < SLICE_LEAST_NANOS
        || sliceNanos > periodNanos) {
      throw HypervisorRefusal.invalid(
          "slice "
              + sliceNanos
              + " ns in "
              + periodNanos
              + " ns: a period of 10 µs..10 s and a slice of 5 µs..period are allowed");
    }
    unit.weight = 0;
    unit.extraWeight = 0;
    unit.periodNanos = periodNanos;
    unit.sliceNanos = sliceNanos;
  }

  /** Divides the time left by the other slices on each pCPU among the real-time weights. */
  private void shareByWeight() {
    for (long left = pool.mask; left != 0; left &= left - 1) {
      foregoPlan(engine.pcpus[Long.numberOfTrailingZeros(left)]);
    }
    long[] weights = new long[engine.pcpus.length];
    long[] taken = new long[engine.pcpus.length];
    for (SimDomain domain : pool.domains) {
      for (Vcpu v : domain.vcpus) {
        SedfVcpu unit = unit(v);
        if (unit == null) {
          continue; // it is entering or leaving the pool
        }
        weights[v.pcpu.id] += unit.weight;
        if (unit.weight == 0) {
          taken[v.pcpu.id] += SedfVcpu.WEIGHT_PERIOD_NANOS * unit.sliceNanos / unit.periodNanos;
        }
      }
    }
    for (SimDomain domain : pool.domains) {
      for (Vcpu v : domain.vcpus) {
        SedfVcpu unit = unit(v);
        if (unit == null) {
          continue;
        }
        if (unit.weight != 0) {
          long left = SedfVcpu.WEIGHT_PERIOD_NANOS - WEIGHT_SAFETY_NANOS - taken[v.pcpu.id];
          unit.periodNanos = SedfVcpu.WEIGHT_PERIOD_NANOS;
          unit.sliceNanos = Math.max(unit.weight * left / weights[v.pcpu.id], 0);
        }
        unit.reviseFullScore();
      }
    }
  }
}
