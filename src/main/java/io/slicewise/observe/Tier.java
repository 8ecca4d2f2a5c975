package io.slicewise.observe;

/** The place of a machine's kernel between the hardware and the workload. */
public enum Tier {
  /** A machine without a hypervisor. */
  BASE,
  /** A host whose own kernel is the hypervisor. */
  HOST,
  GUEST,
  /** The control domain. */
  DOM0,
  /** A domain other than the control domain that serves disks. */
  STORAGE
}
