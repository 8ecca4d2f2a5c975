package io.slicewise.lab.sim;

import io.slicewise.lab.sim.Credit2Policy.Credit2Queue;
import io.slicewise.lab.sim.Credit2Policy.Credit2Vcpu;
import java.util.List;

/**
 * Balances the load of credit2's run queues by moving or swapping one vCPU at a time between the
 * queue that was just reset and the one with the most different load.
 */
final class Credit2Balancer {
  /**
   * The minimum load difference for a move while there are spare pCPUs, and while there are none.
   */
  private static final double TOLERANCE_UNDERLOADED = 1;

  private static final double TOLERANCE_OVERLOADED = 0.125;

  private final Engine engine;
  private final List<Credit2Queue> queues;
  private final int timer;
  private Credit2Queue asking;

  private Credit2Vcpu push;
  private Credit2Vcpu pull;
  private double least;

  Credit2Balancer(Engine engine, List<Credit2Queue> queues) {
    this.engine = engine;
    this.queues = queues;
    this.timer = engine.timers.open(nanos -> balance());
  }

  void close() {
    engine.timers.close(timer);
  }

  /** Balances a queue at once, but not during a scheduling decision. */
  void request(Credit2Queue queue) {
    if (queues.size() > 1) {
      asking = queue;
      engine.timers.set(timer, engine.now());
    }
  }

  /** Assigns a vCPU that is not runnable, or is about to be moved, to a queue. */
  void assign(Credit2Vcpu unit, Credit2Queue to) {
    if (unit.queue != null) {
      unit.queue.dismiss(unit);
    }
    to.assign(unit);
  }

  private void balance() {
    Credit2Queue here = asking;
    Credit2Queue there = mostDifferent(here);
    if (there == null) {
      return;
    }
    double difference = Math.abs(here.load - there.load);
    int pcpus = Math.max(Long.bitCount(here.mask), Long.bitCount(there.mask));
    boolean underloaded = Math.max(here.load, there.load) < pcpus;
    if (difference < (underloaded ? TOLERANCE_UNDERLOADED : TOLERANCE_OVERLOADED)) {
      return;
    }
    choose(here, there, difference);
    if (push != null) {
      move(push, there);
    }
    if (pull != null) {
      move(pull, here);
    }
  }

  private Credit2Queue mostDifferent(Credit2Queue here) {
    here.track(engine.now(), null, 0);
    Credit2Queue most = null;
    for (Credit2Queue queue : queues) {
      if (queue != here && queue.mask != 0) {
        queue.track(engine.now(), null, 0);
        if (most == null || Math.abs(queue.load - here.load) > Math.abs(most.load - here.load)) {
          most = queue;
        }
      }
    }
    return most;
  }

  private void choose(Credit2Queue here, Credit2Queue there, double difference) {
    push = null;
    pull = null;
    least = difference;
    for (Credit2Vcpu mine : here.members) {
      if (!mayMove(mine, there)) {
        continue;
      }
      for (Credit2Vcpu theirs : there.members) {
        if (mayMove(theirs, here)) {
          consider(here, there, mine, theirs);
        }
      }
      consider(here, there, mine, null);
    }
    for (Credit2Vcpu theirs : there.members) {
      if (mayMove(theirs, here)) {
        consider(here, there, null, theirs);
      }
    }
  }

  private static boolean mayMove(Credit2Vcpu unit, Credit2Queue to) {
    return (unit.vcpu.allowed & to.mask) != 0;
  }

  private void consider(
      Credit2Queue here, Credit2Queue there, Credit2Vcpu mine, Credit2Vcpu theirs) {
    double moved = (mine == null ? 0 : load(mine)) - (theirs == null ? 0 : load(theirs));
    double difference = Math.abs(here.load - moved - (there.load + moved));
    if (difference < least) {
      least = difference;
      push = mine;
      pull = theirs;
    }
  }

  private double load(Credit2Vcpu unit) {
    boolean busy = unit.vcpu.runnable();
    return Credit2Queue.decay(unit.load, busy ? 1 : 0, engine.now() - unit.loadUpdated);
  }

  private void move(Credit2Vcpu unit, Credit2Queue to) {
    double moved = load(unit);
    unit.queue.load -= moved;
    to.load += moved;
    engine.evict(unit.vcpu, Vcpu.MIGRATING);
    assign(unit, to);
    unit.vcpu.pcpu = engine.pcpus[Long.numberOfTrailingZeros(unit.vcpu.allowed & to.mask)];
    engine.release(unit.vcpu, Vcpu.MIGRATING);
  }
}
