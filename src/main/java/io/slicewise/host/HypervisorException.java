package io.slicewise.host;

import java.util.Objects;

/** The toolstack refused, or printed what cannot be understood. */
public final class HypervisorException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final String hint;

  public HypervisorException(String message, String hint) {
    super(Objects.requireNonNull(message));
    this.hint = Objects.requireNonNull(hint);
  }

  public String hint() {
    return hint;
  }
}
