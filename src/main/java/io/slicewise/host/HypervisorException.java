package io.slicewise.host;

import io.slicewise.base.units.ErrorKind;
import io.slicewise.base.units.HintedException;

/** A toolstack failed, or its output cannot be parsed. */
public final class HypervisorException extends HintedException {
  private static final long serialVersionUID = 1L;

  private final boolean absent;

  public HypervisorException(String message, String hint) {
    this(message, hint, false);
  }

  private HypervisorException(String message, String hint, boolean absent) {
    super(ErrorKind.NOT_READY, message, hint, null);
    this.absent = absent;
  }

  /** A host that has no tool of the hypervisor's at all. */
  public static HypervisorException absent(String message, String hint) {
    return new HypervisorException(message, hint, true);
  }

  /** Whether the host has no tool of the hypervisor's at all. */
  boolean isAbsent() {
    return absent;
  }
}
