package io.slicewise.lab.sim;

/** The state of a vCPU, as in Xen's runstates. */
public enum Runstate {
  /** On a pCPU. */
  RUNNING,
  /** Runnable, waiting for a pCPU. */
  RUNNABLE,
  /** Without work. */
  BLOCKED,
  /** With work but not allowed to run: parked by a cap, or moving to another pCPU. */
  OFFLINE;

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
    void changed(
        long nanos, int domid, int vcpu, int pcpu, Runstate from, Runstate to, Cause cause);
  }

  /**
   * The times of a vCPU by runstate since its creation; the four times sum to its age.
   *
   * @param dispatches number of dispatches
   */
  public record RunstateTimes(
      long runningNanos,
      long runnableNanos,
      long blockedNanos,
      long offlineNanos,
      long dispatches) {}
}
