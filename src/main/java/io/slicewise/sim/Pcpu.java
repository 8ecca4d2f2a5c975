package io.slicewise.sim;

import java.util.Arrays;

/** A physical CPU and what is on it. */
final class Pcpu {
  final int id;
  final long bit;

  /** The pool it belongs to; null while free. */
  Pool pool;

  /** What runs; null when idle. */
  Vcpu current;

  /** When the running vCPU was put on. */
  long since;

  /** When the scheduler wants to be asked again; {@link Timers#NEVER} for not at all. */
  long sliceEnd = Timers.NEVER;

  int timer;
  long busyNanos;

  /** By {@link Domain#index}: run time, wait time, dispatches. */
  private long[] run = new long[8];

  private long[] wait = new long[8];
  private long[] dispatches = new long[8];

  /** The scheduler's own data. */
  Object data;

  Pcpu(int id) {
    this.id = id;
    this.bit = 1L << id;
  }

  void know(int domains) {
    if (domains > run.length) {
      run = Arrays.copyOf(run, domains * 2);
      wait = Arrays.copyOf(wait, domains * 2);
      dispatches = Arrays.copyOf(dispatches, domains * 2);
    }
  }

  void forget(int index) {
    run[index] = 0;
    wait[index] = 0;
    dispatches[index] = 0;
  }

  void ran(int index, long nanos) {
    busyNanos += nanos;
    run[index] += nanos;
  }

  void waited(int index, long nanos) {
    wait[index] += nanos;
  }

  void dispatched(int index) {
    dispatches[index]++;
  }

  long runNanos(int index) {
    return run[index];
  }

  long waitNanos(int index) {
    return wait[index];
  }

  long dispatches(int index) {
    return dispatches[index];
  }
}
