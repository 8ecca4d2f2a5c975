package io.slicewise.lab.shell;

import java.io.IOException;

/** A file of the kernel's does not take what was written to it. */
final class WriteRefusedException extends IOException {
  private static final long serialVersionUID = 1L;

  WriteRefusedException(String reason) {
    super("echo: write error: " + reason);
  }
}
