package io.slicewise.lab.sim;

import io.slicewise.lab.sim.CreditPolicy.CreditDomain;
import io.slicewise.lab.sim.CreditPolicy.CreditVcpu;
import io.slicewise.lab.sim.SchedulerOptions.CreditGeneration;
import java.util.ArrayList;
import java.util.List;

/**
 * Credit's master accounting: every timeslice, hands the pool's credits to the active domains by
 * weight, passes on what a domain cannot use, and parks vCPUs whose cap is spent.
 */
final class CreditAccounting {
  static final int CREDITS_PER_MILLI = 10;

  private final Pool pool;
  private final Engine engine;
  private final int timer;

  /** Domains with active vCPUs; the order decides which is offered leftovers. */
  private final List<CreditDomain> active = new ArrayList<>();

  private final List<CreditDomain> serving = new ArrayList<>();
  private CreditGeneration generation = CreditGeneration.XEN_4_17;
  private long periodNanos;
  private int creditsPerPeriod;
  private long balance;
  private int round;

  // The state of one round, passed from domain to domain.
  private long total;
  private long weights;
  private long weightsLeft;
  private boolean wanted;

  CreditAccounting(Pool pool, Engine engine) {
    this.pool = pool;
    this.engine = engine;
    this.timer = engine.timers.open(nanos -> account());
  }

  void adopt(SchedulerOptions.Credit options) {
    generation = options.generation();
    periodNanos = options.timeslice().toNanos();
    creditsPerPeriod = (int) options.timeslice().toMillis() * CREDITS_PER_MILLI;
  }

  /** Starts with its own phase, because slices and accounting do not start together. */
  void start(long phaseNanos) {
    engine.timers.set(timer, engine.now() + phaseNanos);
  }

  void stop() {
    engine.timers.close(timer);
  }

  /** Number of accountings so far. */
  int round() {
    return round;
  }

  /** Makes a vCPU that was seen running active, so that it earns credits. */
  void activate(CreditVcpu unit) {
    if (!unit.active) {
      unit.active = true;
      if (unit.domain.activeVcpus++ == 0) {
        active.add(unit.domain);
      }
    }
  }

  void retire(CreditVcpu unit) {
    if (unit.active) {
      unit.active = false;
      if (--unit.domain.activeVcpus == 0) {
        active.remove(unit.domain);
      }
    }
  }

  private void account() {
    engine.timers.set(timer, engine.late(engine.now() + periodNanos));
    round++;
    weights = 0;
    for (CreditDomain domain : active) {
      weights += weight(domain);
    }
    total = (long) creditsPerPeriod * Long.bitCount(pool.mask) - Math.min(balance, 0);
    weightsLeft = weights;
    wanted = false;
    long overdraft = Math.max(-balance, 0);
    balance = 0;
    serving.clear();
    serving.addAll(active);
    for (CreditDomain domain : serving) {
      serve(domain, overdraft);
    }
  }

  private long weight(CreditDomain domain) {
    return generation.weightPerVcpu() ? (long) domain.weight * domain.activeVcpus : domain.weight;
  }

  private void serve(CreditDomain domain, long overdraft) {
    long weight = weight(domain);
    int vcpus = domain.activeVcpus;
    weightsLeft -= weight;
    long peak = (long) creditsPerPeriod * vcpus + ceil(overdraft * weight, weights);
    long threshold = 0;
    if (domain.cap != 0) {
      long capped = ceil((long) domain.cap * creditsPerPeriod, 100);
      peak = Math.min(peak, capped);
      threshold = ceil(capped, vcpus);
    }
    long fair = ceil(total * weight, weights);
    if (fair < peak) {
      wanted = true;
    } else {
      if (weightsLeft > 0) {
        total += ceil((fair - peak) * weights, weightsLeft);
      }
      if (wanted) {
        active.remove(domain);
        active.add(0, domain);
      }
      fair = peak;
    }
    int each = (int) ceil(fair, vcpus);
    for (Vcpu v : domain.domain.vcpus) {
      CreditVcpu unit = (CreditVcpu) v.data;
      if (unit.active) {
        pay(unit, each, threshold);
      }
    }
  }

  private void pay(CreditVcpu unit, int credits, long threshold) {
    unit.credit += credits;
    if (unit.credit < 0) {
      unit.priority = CreditVcpu.OVER;
      if (threshold > 0 && unit.credit < -threshold && !unit.parked) {
        unit.parked = true;
        engine.hold(unit.vcpu, Vcpu.PARKED);
      }
      unit.credit = Math.max(unit.credit, -creditsPerPeriod);
    } else {
      unit.priority = CreditVcpu.UNDER;
      unpark(unit);
      if (unit.credit > creditsPerPeriod) {
        retire(unit);
        unit.credit = generation.halvesSurplus() ? unit.credit / 2 : 0;
      }
    }
    balance += unit.credit;
  }

  private void unpark(CreditVcpu unit) {
    if (unit.parked) {
      engine.release(unit.vcpu, Vcpu.PARKED); // while still marked, so that it is not boosted
      unit.parked = false;
    }
  }

  private static long ceil(long dividend, long divisor) {
    return (dividend + divisor - 1) / divisor;
  }
}
