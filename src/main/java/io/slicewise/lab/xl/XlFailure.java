package io.slicewise.lab.xl;

/** Ends an {@code xl} command with a message on standard error and an exit status. */
final class XlFailure extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final int status;

  XlFailure(int status, String words) {
    super(words);
    this.status = status;
  }

  int status() {
    return status;
  }
}
