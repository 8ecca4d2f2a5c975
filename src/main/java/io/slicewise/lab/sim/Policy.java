package io.slicewise.lab.sim;

import io.slicewise.profile.SchedulerParameters;

/**
 * A scheduler, as the {@link Engine} calls it. A vCPU is <em>known</em> between {@link #join} and
 * {@link #leave}; it is runnable from {@link #wake} until {@link #sleep}, or until it is found not
 * to be by {@link #schedule} while it runs.
 */
interface Policy {
  /** The current options of the pool. */
  SchedulerOptions options();

  /**
   * Changes pool-wide options.
   *
   * @throws HypervisorRefusal if the scheduler cannot change them while it runs
   */
  default void configure(SchedulerOptions wanted) {
    throw HypervisorRefusal.invalid(options() + " cannot change while it runs");
  }

  /** A pCPU joins the pool, idle. */
  void addPcpu(Pcpu p);

  /** A pCPU leaves the pool, idle; no vCPU is on it or assigned to it anymore. */
  default void removePcpu(Pcpu p) {
    p.data = null;
  }

  /** A vCPU joins with default parameters, not runnable; it is given a pCPU. */
  void join(Vcpu v);

  /** A vCPU leaves, not runnable. */
  void leave(Vcpu v);

  /** The pCPU for a vCPU that has to move. */
  Pcpu place(Vcpu v);

  /** A vCPU became runnable. */
  void wake(Vcpu v);

  /** A vCPU that was runnable and not running is no longer runnable. */
  void sleep(Vcpu v);

  /**
   * Chooses what a pCPU runs next; null to idle. Sets {@link Pcpu#sliceEnd}. The current vCPU is
   * charged for its run time, and queued or kept.
   */
  Vcpu schedule(Pcpu p);

  /** A vCPU was taken off this pCPU by the last {@link #schedule}. */
  default void switchedOut(Pcpu p, Vcpu v) {}

  /** Releases the timers of a removed pool. */
  default void close() {}

  /** The parameters of a vCPU. */
  SchedulerParameters parameters(Vcpu v);

  /**
   * Sets the parameters of a vCPU, or of all vCPUs of its domain if the scheduler stores them
   * there.
   *
   * @throws HypervisorRefusal EINVAL as the hypervisor would
   */
  default void set(Vcpu v, SchedulerParameters wanted) {
    if (wanted.scheduler() != options().scheduler()) {
      throw HypervisorRefusal.invalid(
          "the pool runs " + options() + ", not " + wanted.scheduler().xenName());
    }
    adjust(v, wanted);
  }

  /** Sets parameters of its own scheduler, unless it has none. */
  default void adjust(Vcpu v, SchedulerParameters wanted) {
    throw HypervisorRefusal.invalid(options() + " keeps no parameters of a vCPU");
  }
}
