package io.slicewise.lab.sim;

import io.slicewise.lab.sim.Domains.SimDomain;
import io.slicewise.lab.sim.Runstate.RunstateTimes;
import java.util.function.LongConsumer;

/** A virtual CPU: its runstate, its current burst, and where it may run. */
final class Vcpu {
  /** Reasons not to be runnable; a vCPU with none of them is runnable or running. */
  static final int BLOCKED = 1;

  static final int PARKED = 2;
  static final int PAUSED = 4;
  static final int MIGRATING = 8;
  static final int OFFLINE = 16;

  /** Longer than any simulation, and safe to add to any time in it. */
  static final long ENDLESS = Long.MAX_VALUE / 4;

  final SimDomain domain;
  final int index;
  final long bit;

  int reasons = BLOCKED;
  Runstate state = Runstate.BLOCKED;
  long since;
  long runningNanos;
  long runnableNanos;
  long blockedNanos;
  long offlineNanos;
  long dispatches;

  /** The pCPU it runs on, or last ran or queues on. */
  Pcpu pcpu;

  boolean running;

  /** Whether it wakes up on another pCPU because it had to leave its own. */
  boolean migrating;

  /** The requested hard affinity, over all pCPUs of the machine. */
  long affinity = -1L;

  /** Where it may run: its affinity within its pool. */
  long allowed;

  /** Whether its guest has taken it out of use: it finishes its burst, and begins no other. */
  boolean offline;

  /** Whether it computes endlessly after each burst. */
  boolean burning;

  LongConsumer done;

  /** The remainder of the burst; while running, {@link #burstEnd} is used instead. */
  long remaining;

  long burstEnd;

  /** The scheduler's own data. */
  Object data;

  Vcpu(SimDomain domain, int index, long now) {
    this.domain = domain;
    this.index = index;
    this.bit = 1L << index;
    this.since = now;
  }

  boolean runnable() {
    return reasons == 0;
  }

  boolean mayRunOn(Pcpu p) {
    return (allowed & p.bit) != 0;
  }

  Runstate restingState() {
    if (reasons == 0) {
      return Runstate.RUNNABLE;
    }
    return (reasons & BLOCKED) != 0 ? Runstate.BLOCKED : Runstate.OFFLINE;
  }

  RunstateTimes times(long now) {
    long open = now - since;
    return new RunstateTimes(
        runningNanos + (state == Runstate.RUNNING ? open : 0),
        runnableNanos + (state == Runstate.RUNNABLE ? open : 0),
        blockedNanos + (state == Runstate.BLOCKED ? open : 0),
        offlineNanos + (state == Runstate.OFFLINE ? open : 0),
        dispatches);
  }

  /** Bursts that wait inside a guest for one of its vCPUs, first come first served. */
  static final class WorkQueue {
    private long[] bursts = new long[16];
    private LongConsumer[] completions = new LongConsumer[16];
    private int head;
    private int size;

    boolean isEmpty() {
      return size == 0;
    }

    int size() {
      return size;
    }

    void add(long burstNanos, LongConsumer done) {
      if (size == bursts.length) {
        grow();
      }
      int tail = (head + size++) & (bursts.length - 1);
      bursts[tail] = burstNanos;
      completions[tail] = done;
    }

    long burstNanos() {
      return bursts[head];
    }

    LongConsumer completion() {
      return completions[head];
    }

    void drop() {
      completions[head] = null;
      head = (head + 1) & (bursts.length - 1);
      size--;
    }

    private void grow() {
      long[] moreBursts = new long[size * 2];
      LongConsumer[] moreCompletions = new LongConsumer[size * 2];
      for (int i = 0; i < size; i++) {
        int from = (head + i) & (size - 1);
        moreBursts[i] = bursts[from];
        moreCompletions[i] = completions[from];
      }
      bursts = moreBursts;
      completions = moreCompletions;
      head = 0;
    }
  }
}
