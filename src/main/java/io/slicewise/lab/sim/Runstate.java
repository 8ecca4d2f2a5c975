package io.slicewise.lab.sim;

/** What a vCPU is doing, as Xen's runstates tell it. */
public enum Runstate {
  /** On a pCPU. */
  RUNNING,
  /** Could run, and waits for a pCPU. */
  RUNNABLE,
  /** Has nothing to do. */
  BLOCKED,
  /** Has something to do and may not: parked by a cap, or on its way to another pCPU. */
  OFFLINE
}
