package io.slicewise.lab.shell;

import java.io.IOException;

/** Thrown when a kernel file refuses the text written to it. */
final class WriteRefusedException extends IOException {
  private static final long serialVersionUID = 1L;

  WriteRefusedException(String reason) {
    super("echo: write error: " + reason);
  }
}
