package io.slicewise.lab.shell;

/** A line this shell refuses, because a part of it would need a real shell to be understood. */
public final class ShellSyntaxException extends Exception {
  private static final long serialVersionUID = 1L;

  ShellSyntaxException(String message) {
    super(message);
  }
}
