package io.slicewise.evidence.study;

/** The names of the tiers on which a study reads counters. */
public final class Tiers {
  /** The machine without a hypervisor. */
  public static final String BASE = "base";

  /** A guest. */
  public static final String XEN = "xen";

  /** The control domain, with the physical disks. */
  public static final String CONTROL = "dom0";

  /** The disk of a guest as its backend serves it. */
  public static final String BACKEND = "backend";

  /** The amount that a database needs. */
  public static final String ACTUAL = "actual";

  private Tiers() {}
}
