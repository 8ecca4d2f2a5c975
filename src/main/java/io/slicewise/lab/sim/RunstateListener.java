package io.slicewise.lab.sim;

/** Receives every change of a runstate, in order of virtual time. */
@FunctionalInterface
public interface RunstateListener {
  /** The reason why a vCPU became runnable; {@link #NONE} for other changes. */
  enum Cause {
    NONE,
    WAKE,
    PREEMPT
  }

  /**
   * One change.
   *
   * @param nanos virtual time of the change
   * @param pcpu the pCPU the vCPU runs on, or last ran or queued on
   */
  void changed(long nanos, int domid, int vcpu, int pcpu, Runstate from, Runstate to, Cause cause);
}
