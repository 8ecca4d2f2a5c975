package io.slicewise.base.units;

import java.util.Objects;

/**
 * The base of all errors that a user may meet.
 *
 * <p>The message is a sentence that names the thing, the place, the value and the rule; the hint is
 * the way out and may be empty. Neither ever contains a secret.
 */
public abstract class HintedException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final ErrorKind errorKind;
  private final String hint;

  protected HintedException(ErrorKind errorKind, String message, String hint, Throwable cause) {
    super(Objects.requireNonNull(message), cause);
    this.errorKind = Objects.requireNonNull(errorKind);
    this.hint = Objects.requireNonNull(hint);
  }

  public final ErrorKind errorKind() {
    return errorKind;
  }

  /** Returns the way out; empty if the message is sufficient. */
  public final String hint() {
    return hint;
  }

  /** Returns the message and the hint, if any. */
  public final String inOneLine() {
    return hint.isEmpty() ? getMessage() : getMessage() + "; " + hint;
  }
}
