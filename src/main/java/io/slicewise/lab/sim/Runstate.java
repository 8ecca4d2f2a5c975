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
  OFFLINE
}
