package io.slicewise.lab.shell;

/** A script that is wrong, or needs something that this shell lacks. */
public final class ShellSyntaxException extends Exception {
  private static final long serialVersionUID = 1L;

  ShellSyntaxException(String message) {
    super(message);
  }
}
