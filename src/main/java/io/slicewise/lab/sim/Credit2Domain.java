package io.slicewise.lab.sim;

import io.slicewise.lab.sim.Credit2Policy.Credit2Vcpu;
import io.slicewise.lab.sim.Domains.SimDomain;
import java.util.ArrayList;
import java.util.List;

/** Credit2's data of a domain: its weight, and the run time that its cap allows. */
final class Credit2Domain {
  private static final long REPLENISHMENT_NANOS = 10_000_000;
  private static final long LEAST_QUOTA_NANOS = 500_000;

  final SimDomain domain;
  int weight = 256;

  private final Engine engine;
  private final int timer;
  private final List<Credit2Vcpu> parked = new ArrayList<>();
  private int cap;
  private long total;
  private long budget;

  /** The next refill of the pool; later after an overrun. */
  private long replenishment;

  Credit2Domain(SimDomain domain, Engine engine) {
    this.domain = domain;
    this.engine = engine;
    this.timer = engine.timers.open(this::replenish);
  }

  void close() {
    engine.timers.close(timer);
  }

  boolean capped() {
    return cap != 0;
  }

  int cap() {
    return cap;
  }

  /** Sets the cap, in percent of one pCPU; 0 removes it. */
  void cap(int percent) {
    if (percent == cap) {
      return;
    }
    boolean was = capped();
    cap = percent;
    total = REPLENISHMENT_NANOS * percent / 100;
    if (!capped()) {
      engine.timers.set(timer, Timers.NEVER);
      forgetBudgets();
      unpark();
    } else if (!was) {
      budget = total;
      forgetBudgets();
      replenishment = engine.now() + REPLENISHMENT_NANOS;
      engine.timers.set(timer, replenishment);
    }
  }

  private void forgetBudgets() {
    for (Vcpu v : domain.vcpus) {
      ((Credit2Vcpu) v.data).budget = 0;
      if (v.running) {
        engine.poke(v.pcpu);
      }
    }
  }

  /** Takes the run time of a vCPU out of the pool; charges an earlier overrun to the pool. */
  boolean grab(Credit2Vcpu unit) {
    if (unit.budget > 0) {
      return true;
    }
    budget += unit.budget;
    unit.budget = 0;
    if (budget <= 0) {
      park(unit);
      return false;
    }
    long quota = Math.max(total / domain.vcpus.length, LEAST_QUOTA_NANOS);
    unit.budget = Math.min(budget, quota);
    budget -= unit.budget;
    return true;
  }

  private void park(Credit2Vcpu unit) {
    if (unit.parked) {
      return;
    }
    unit.parked = true;
    parked.add(unit);
    if (unit.vcpu.running) {
      unit.vcpu.reasons |= Vcpu.PARKED; // it is being descheduled right now
    } else {
      engine.hold(unit.vcpu, Vcpu.PARKED);
    }
  }

  /** Returns the unused time of a vCPU that stopped to the pool. */
  void giveBack(Credit2Vcpu unit) {
    budget += unit.budget;
    unit.budget = 0;
    if (budget > 0) {
      unpark();
    }
  }

  void forget(Credit2Vcpu unit) {
    parked.remove(unit);
  }

  private void replenish(long now) {
    do {
      budget += total;
      replenishment += REPLENISHMENT_NANOS;
    } while (budget <= 0 || replenishment <= now);
    budget = Math.min(budget, total);
    engine.timers.set(timer, engine.late(replenishment));
    unpark();
  }

  private void unpark() {
    if (parked.isEmpty()) {
      return;
    }
    List<Credit2Vcpu> waiting = List.copyOf(parked);
    parked.clear();
    for (Credit2Vcpu unit : waiting) {
      unit.parked = false;
      engine.release(unit.vcpu, Vcpu.PARKED);
    }
  }

  /** Sets weight and cap; a weight of 0 means unchanged. */
  void adjust(int newWeight, int newCap) {
    if (newWeight < 0 || newWeight > 0xFFFF) {
      throw HypervisorRefusal.invalid("weight " + newWeight + " does not fit 16 bits");
    }
    if (newCap < 0 || newCap > 100 * domain.vcpus.length) {
      throw HypervisorRefusal.invalid(
          "cap " + newCap + " exceeds 100 for each of " + domain.vcpus.length + " vCPUs");
    }
    if (newWeight != 0) {
      weight = newWeight;
    }
    cap(newCap);
  }
}
