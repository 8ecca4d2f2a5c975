package io.slicewise.lab.sim;

import java.util.Arrays;

/** A physical CPU and its state. */
final class Pcpu {
  private static final int KINDS = 4;
  private static final int RUN = 0;
  private static final int WAIT = 1;
  private static final int DISPATCHES = 2;

  final int id;
  final long bit;

  /** The pool it belongs to; null while free. */
  Pool pool;

  /** The running vCPU; null if idle. */
  Vcpu current;

  /** The time at which the running vCPU was dispatched. */
  long since;

  /** The time of the next scheduling decision; {@link Timers#NEVER} for none. */
  long sliceEnd = Timers.NEVER;

  long busyNanos;

  /** By {@link SimDomain#index}, {@link #KINDS} of them each: run time, wait time, dispatches. */
  private long[] account = new long[8 * KINDS];

  /** The scheduler's own data. */
  Object data;

  Pcpu(int id) {
    this.id = id;
    this.bit = 1L << id;
  }

  void know(int domains) {
    if (domains * KINDS > account.length) {
      account = Arrays.copyOf(account, domains * 2 * KINDS);
    }
  }

  void forget(int index) {
    Arrays.fill(account, index * KINDS, (index + 1) * KINDS, 0);
  }

  void ran(int index, long nanos) {
    busyNanos += nanos;
    account[index * KINDS + RUN] += nanos;
  }

  void waited(int index, long nanos) {
    account[index * KINDS + WAIT] += nanos;
  }

  /** Records one dispatch after a wait. */
  void dispatched(int index, long waitedNanos) {
    account[index * KINDS + WAIT] += waitedNanos;
    account[index * KINDS + DISPATCHES]++;
  }

  long runNanos(int index) {
    return account[index * KINDS + RUN];
  }

  long waitNanos(int index) {
    return account[index * KINDS + WAIT];
  }

  long dispatches(int index) {
    return account[index * KINDS + DISPATCHES];
  }
}
