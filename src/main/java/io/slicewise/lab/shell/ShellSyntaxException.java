package io.slicewise.lab.shell;

/** Thrown for a script that is wrong, or that needs a feature this shell lacks. */
public final class ShellSyntaxException extends Exception {
  private static final long serialVersionUID = 1L;

  ShellSyntaxException(String message) {
    super(message);
  }
}
