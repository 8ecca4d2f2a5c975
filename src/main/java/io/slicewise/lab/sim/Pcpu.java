package io.slicewise.lab.sim;

/** A physical CPU and its state. */
final class Pcpu {
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

  /** The scheduler's own data. */
  Object data;

  Pcpu(int id) {
    this.id = id;
    this.bit = 1L << id;
  }
}
