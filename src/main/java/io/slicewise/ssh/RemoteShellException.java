package io.slicewise.ssh;

import io.slicewise.base.units.ErrorKind;
import io.slicewise.base.units.HintedException;
import java.util.Objects;

/** A failure to use a machine; {@link #kind} says which. */
public final class RemoteShellException extends HintedException {
  private static final long serialVersionUID = 1L;

  /** The kind of failure. */
  public enum Kind {
    UNREACHABLE,
    HOST_KEY_UNKNOWN,
    HOST_KEY_CHANGED,
    HOST_KEY_REVOKED,
    LOGIN_REFUSED,
    CONNECTION_LOST,
    COMMAND_ENDED,
    TIMED_OUT,
    OUTPUT_TOO_LARGE,
    FILE_NOT_FETCHED,
    FILE_NOT_SENT
  }

  private final Kind kind;

  public RemoteShellException(Kind kind, String message, String hint, Throwable cause) {
    super(ErrorKind.HOST_LOST, message, hint, cause);
    this.kind = Objects.requireNonNull(kind);
  }

  public Kind kind() {
    return kind;
  }
}
