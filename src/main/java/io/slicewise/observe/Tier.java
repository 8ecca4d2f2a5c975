package io.slicewise.observe;

import io.slicewise.base.units.EnumName;

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
  STORAGE;

  /** Returns the name in files and tables. */
  public String text() {
    return EnumName.of(this);
  }
}
