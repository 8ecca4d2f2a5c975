package io.slicewise.host;

import io.slicewise.base.units.ErrorKind;
import io.slicewise.base.units.HintedException;

/** The toolstack refused, or its output cannot be parsed. */
public final class HypervisorException extends HintedException {
  private static final long serialVersionUID = 1L;

  public HypervisorException(String message, String hint) {
    super(ErrorKind.NOT_READY, message, hint, null);
  }
}
