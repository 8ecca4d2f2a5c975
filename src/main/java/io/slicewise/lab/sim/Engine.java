package io.slicewise.lab.sim;

import io.slicewise.lab.sim.Domains.SimDomain;
import io.slicewise.lab.sim.Machine.MachineSpec;
import io.slicewise.lab.sim.Runstate.RunstateListener;
import io.slicewise.lab.sim.Runstate.RunstateListener.Cause;
import io.slicewise.lab.sim.Vcpu.WorkQueue;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.function.LongConsumer;

/**
 * The clock, the timers and the dispatcher: the layer between a {@link Policy} and the pCPUs.
 *
 * <p>As in the hypervisor, any change of what should run only <em>pokes</em> a pCPU; the pCPU asks
 * its policy after the current event ({@link #settle}). No time passes in between.
 */
final class Engine {
  final Pcpu[] pcpus;

  /** Ends of slices and bursts, one for each pCPU in its order; then ticks, replenishments. */
  final Timers timers;

  private final Agenda agenda = new Agenda();

  private final SplittableRandom chance;
  private final long latenessNanos;

  private long now;
  private long poked;
  private boolean settling;
  private long events;
  private RunstateListener listener;

  Engine(MachineSpec spec) {
    chance = new SplittableRandom(spec.seed());
    latenessNanos = spec.timerLateness().toNanos();
    pcpus = new Pcpu[spec.pcpus()];
    timers = new Timers(pcpus.length);
    for (int i = 0; i < pcpus.length; i++) {
      pcpus[i] = new Pcpu(i);
    }
  }

  long now() {
    return now;
  }

  long events() {
    return events;
  }

  void listen(RunstateListener to) {
    listener = to;
  }

  void at(long nanos, LongConsumer action) {
    agenda.add(nanos, action);
  }

  long nextNanos() {
    return Math.min(timers.nextNanos(), agenda.nextNanos());
  }

  void runUntil(long nanos) {
    while (true) {
      long timer = timers.nextNanos();
      long outside = agenda.nextNanos();
      if (Math.min(timer, outside) > nanos) {
        break;
      }
      events++;
      settling = true;
      if (timer <= outside) {
        now = timer;
        expire(timers.take());
      } else {
        now = outside;
        agenda.fire();
      }
      dispatch();
      settling = false;
    }
    now = nanos;
  }

  private void expire(int timer) {
    if (timer < pcpus.length) {
      due(pcpus[timer]);
    } else {
      timers.call(timer, now);
    }
  }

  void poke(Pcpu p) {
    poked |= p.bit;
  }

  boolean isPoked(Pcpu p) {
    return (poked & p.bit) != 0;
  }

  /** Lets poked pCPUs reschedule, unless the event loop is about to do so. */
  void settle() {
    if (!settling) {
      settling = true;
      dispatch();
      settling = false;
    }
  }

  private void dispatch() {
    while (poked != 0) {
      reschedule(pcpus[Long.numberOfTrailingZeros(poked)]);
    }
  }

  private void due(Pcpu p) {
    Vcpu v = p.current;
    if (v != null && now >= v.burstEnd) {
      complete(v);
      if (p.current == v && v.runnable() && now < p.sliceEnd) {
        arm(p);
        return;
      }
    }
    poke(p);
  }

  /** Whether timers fire on time. */
  boolean punctual() {
    return latenessNanos == 0;
  }

  /** The time at which a timer set for {@code nanos} fires. */
  long late(long nanos) {
    if (latenessNanos == 0 || nanos == Timers.NEVER) {
      return nanos;
    }
    return nanos + (long) (-Math.log(1 - chance.nextDouble()) * latenessNanos);
  }

  /** Sets the timer of a pCPU to the end of its slice, or of the burst that runs on it. */
  void arm(Pcpu p) {
    Vcpu v = p.current;
    long slice = late(p.sliceEnd);
    timers.set(p.id, v == null ? slice : Math.min(slice, v.burstEnd));
  }

  private void reschedule(Pcpu p) {
    poked &= ~p.bit;
    if (p.pool == null) {
      return;
    }
    Policy policy = p.pool.policy;
    Vcpu before = p.current;
    Vcpu next = policy.schedule(p);
    if (next != before) {
      if (before != null) {
        takeOff(before);
      }
      p.current = next;
      p.since = now;
      if (next != null) {
        putOn(p, next);
      }
      if (before != null) {
        policy.switchedOut(p, before);
      }
    }
    arm(p);
  }

  private void putOn(Pcpu p, Vcpu v) {
    v.pcpu = p;
    v.running = true;
    v.burstEnd = now + v.remaining;
    v.dispatches++;
    v.runnableNanos += now - v.since;
    enter(v, Runstate.RUNNING, Cause.NONE);
  }

  private void takeOff(Vcpu v) {
    v.running = false;
    v.remaining = v.burstEnd - now;
    long ran = now - v.since;
    v.runningNanos += ran;
    v.pcpu.busyNanos += ran;
    enter(v, v.restingState(), v.runnable() ? Cause.PREEMPT : Cause.NONE);
  }

  /** Adds a reason not to run. */
  void hold(Vcpu v, int reason) {
    boolean was = v.runnable();
    v.reasons |= reason;
    if (v.running) {
      poke(v.pcpu);
      return;
    }
    if (was) {
      v.domain.pool.policy.sleep(v);
    }
    change(v, v.restingState(), Cause.NONE);
  }

  /** Removes a reason not to run. */
  void release(Vcpu v, int reason) {
    if ((v.reasons & reason) == 0) {
      return;
    }
    v.reasons &= ~reason;
    if (v.running) {
      return;
    }
    change(v, v.restingState(), Cause.WAKE);
    if (v.runnable()) {
      v.domain.pool.policy.wake(v);
    }
  }

  /** Takes a vCPU off its pCPU, or out of its queue, now. */
  void evict(Vcpu v, int reason) {
    hold(v, reason);
    if (v.running) {
      reschedule(v.pcpu);
    }
  }

  void affinityChanged(Vcpu v) {
    if (!v.mayRunOn(v.pcpu)) {
      rehome(v);
    }
  }

  /** Stops the timer of a pCPU that left its pool. */
  void idle(Pcpu p) {
    p.sliceEnd = Timers.NEVER;
    arm(p);
  }

  /** Finds another pCPU for a vCPU that may not stay on its own. */
  void rehome(Vcpu v) {
    evict(v, Vcpu.MIGRATING);
    v.pcpu = v.domain.pool.policy.place(v);
    v.migrating = true;
    release(v, Vcpu.MIGRATING);
    v.migrating = false;
  }

  /** Changes the state of a vCPU that is on no pCPU. */
  private void change(Vcpu v, Runstate to, Cause cause) {
    Runstate from = v.state;
    if (from == to) {
      return;
    }
    long spent = now - v.since;
    if (from == Runstate.BLOCKED) {
      v.blockedNanos += spent;
    } else if (from == Runstate.RUNNABLE) {
      v.runnableNanos += spent;
    } else {
      v.offlineNanos += spent;
    }
    enter(v, to, cause);
  }

  private void enter(Vcpu v, Runstate to, Cause cause) {
    Runstate from = v.state;
    v.since = now;
    v.state = to;
    if (listener != null) {
      listener.changed(now, v.domain.domid, v.index, v.pcpu.id, from, to, cause);
    }
  }

  /** Hands a burst to an idle vCPU of the domain, or lets it wait for one. */
  void submit(SimDomain domain, long burstNanos, LongConsumer done) {
    if (domain.idle == 0) {
      domain.work.add(burstNanos, done);
    } else {
      start(domain.vcpus[Long.numberOfTrailingZeros(domain.idle)], burstNanos, done);
    }
  }

  void start(Vcpu v, long burstNanos, LongConsumer done) {
    v.domain.idle &= ~v.bit;
    v.done = done;
    if (v.running) {
      v.burstEnd = now + burstNanos;
    } else {
      v.remaining = burstNanos;
    }
    release(v, Vcpu.BLOCKED);
  }

  void burn(Vcpu v) {
    v.burning = true;
    if ((v.domain.idle & v.bit) != 0) {
      startBurning(v);
    }
  }

  private void startBurning(Vcpu v) {
    start(v, Vcpu.ENDLESS, nanos -> {});
  }

  /** Ends the burst of a running vCPU, which continues with the next one, if any. */
  private void complete(Vcpu v) {
    LongConsumer done = v.done;
    WorkQueue work = v.domain.work;
    if (v.burning) {
      startBurning(v);
    } else if (v.offline) {
      hold(v, Vcpu.OFFLINE);
    } else if (work.isEmpty()) {
      v.domain.idle |= v.bit;
    } else {
      v.burstEnd = now + work.burstNanos();
      v.done = work.completion();
      work.drop();
    }
    done.accept(now);
    boolean ended = v.offline && !v.burning;
    if (((v.domain.idle & v.bit) != 0 || ended) && v.running) {
      hold(v, Vcpu.BLOCKED);
    }
  }

  /** Takes a vCPU out of use; one that burns stops at once, any other after its burst. */
  void takeOffline(Vcpu v) {
    v.offline = true;
    v.domain.idle &= ~v.bit;
    if (v.burning || (v.reasons & Vcpu.BLOCKED) != 0) {
      hold(v, Vcpu.OFFLINE);
    }
  }

  /** Returns a vCPU to use; it takes a burst that waits, if there is one. */
  void bringOnline(Vcpu v) {
    WorkQueue work = v.domain.work;
    v.offline = false;
    release(v, Vcpu.OFFLINE);
    if ((v.reasons & Vcpu.BLOCKED) != 0) {
      if (v.burning) {
        startBurning(v);
      } else if (work.isEmpty()) {
        v.domain.idle |= v.bit;
      } else {
        start(v, work.burstNanos(), work.completion());
        work.drop();
      }
    }
  }

  /**
   * The actions requested by callers, by time and then by order of request: a 4-ary heap that
   * allocates nothing once it has grown.
   */
  static final class Agenda {
    private static final int ARITY = 4;

    private long[] times = new long[64];
    private int[] heap = new int[64];
    private LongConsumer[] actions = new LongConsumer[64];
    private long[] asked = new long[64];
    private int[] free = new int[64];
    private int size;
    private long count;

    Agenda() {
      for (int i = 0; i < free.length; i++) {
        free[i] = i;
      }
    }

    /** Due time of the next action, {@link Timers#NEVER} if none. */
    long nextNanos() {
      return size == 0 ? Timers.NEVER : times[0];
    }

    void add(long nanos, LongConsumer action) {
      if (size == heap.length) {
        grow();
      }
      int slot = free[size];
      actions[slot] = action;
      asked[slot] = count++;
      int at = size++;
      while (at > 0) {
        int parent = (at - 1) / ARITY;
        if (!before(nanos, slot, parent)) {
          break;
        }
        heap[at] = heap[parent];
        times[at] = times[parent];
        at = parent;
      }
      heap[at] = slot;
      times[at] = nanos;
    }

    private void grow() {
      int length = heap.length * 2;
      times = Arrays.copyOf(times, length);
      heap = Arrays.copyOf(heap, length);
      actions = Arrays.copyOf(actions, length);
      asked = Arrays.copyOf(asked, length);
      free = Arrays.copyOf(free, length);
      for (int i = size; i < length; i++) {
        free[i] = i;
      }
    }

    /** Removes the next action and calls it. */
    void fire() {
      long nanos = times[0];
      int slot = heap[0];
      LongConsumer action = actions[slot];
      actions[slot] = null;
      size--;
      free[size] = slot;
      if (size > 0) {
        sink(heap[size], times[size]);
      }
      action.accept(nanos);
    }

    private void sink(int slot, long nanos) {
      int at = 0;
      while (true) {
        int child = at * ARITY + 1;
        if (child >= size) {
          break;
        }
        int least = leastOf(child, Math.min(child + ARITY, size));
        if (before(nanos, slot, least)) {
          break;
        }
        heap[at] = heap[least];
        times[at] = times[least];
        at = least;
      }
      heap[at] = slot;
      times[at] = nanos;
    }

    private int leastOf(int from, int to) {
      int least = from;
      for (int i = from + 1; i < to; i++) {
        if (before(times[i], heap[i], least)) {
          least = i;
        }
      }
      return least;
    }

    private boolean before(long nanos, int slot, int other) {
      return nanos < times[other] || (nanos == times[other] && asked[slot] < asked[heap[other]]);
    }
  }
}
