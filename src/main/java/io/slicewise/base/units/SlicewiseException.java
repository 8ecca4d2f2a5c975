package io.slicewise.base.units;

import java.util.Objects;

/**
 * The one exception that travels from any room to the command line, which turns it into words.
 *
 * <p>The message is a sentence that names the thing, the place, the value and the rule; the hint is
 * the way out and may be empty. Neither ever holds a secret.
 */
public final class SlicewiseException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final ExitCode exitCode;
  private final String hint;

  public SlicewiseException(ExitCode exitCode, String message, String hint) {
    this(exitCode, message, hint, null);
  }

  public SlicewiseException(ExitCode exitCode, String message, String hint, Throwable cause) {
    super(Objects.requireNonNull(message), cause);
    this.exitCode = Objects.requireNonNull(exitCode);
    this.hint = Objects.requireNonNull(hint);
  }

  public ExitCode exitCode() {
    return exitCode;
  }

  /** The way out; empty when the message says it all. */
  public String hint() {
    return hint;
  }
}
