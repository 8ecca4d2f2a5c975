package io.slicewise.lab.xm;

/** Ends an {@code xm} command with an error line, optionally followed by the command's usage. */
final class XmFailure extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final int status;
  private final boolean usage;

  private XmFailure(int status, String words, boolean usage) {
    super(words);
    this.status = status;
    this.usage = usage;
  }

  /**
   * Returns a failure with an error line on standard error, the usage on standard output, and
   * status 1.
   */
  static XmFailure withUsage(String words) {
    return new XmFailure(1, words, true);
  }

  static XmFailure plain(int status, String words) {
    return new XmFailure(status, words, false);
  }

  int status() {
    return status;
  }

  boolean usage() {
    return usage;
  }
}
