package io.slicewise.ssh;

import java.util.Objects;

/** The machine at the other end could not be used; {@link #kind} says in which way. */
public final class RemoteShellException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** What went wrong with the connection. */
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
    FILE_NOT_FETCHED
  }

  private final Kind kind;
  private final String hint;

  public RemoteShellException(Kind kind, String message, String hint, Throwable cause) {
    super(Objects.requireNonNull(message), cause);
    this.kind = Objects.requireNonNull(kind);
    this.hint = Objects.requireNonNull(hint);
  }

  public Kind kind() {
    return kind;
  }

  /** The way out; never holds a secret. */
  public String hint() {
    return hint;
  }
}
