package io.slicewise.lab.shell;

import java.io.IOException;

/** Thrown when the host's disk is full. */
public final class DiskFullException extends IOException {
  private static final long serialVersionUID = 1L;

  DiskFullException(String path) {
    super(path + ": No space left on device");
  }
}
