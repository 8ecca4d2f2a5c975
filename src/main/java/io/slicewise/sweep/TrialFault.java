package io.slicewise.sweep;

/** A trial cannot go on; the reason is a sentence for the journal. The host itself is well. */
final class TrialFault extends RuntimeException {
  private static final long serialVersionUID = 1L;

  TrialFault(String reason) {
    super(reason);
  }

  TrialFault(String reason, Throwable cause) {
    super(reason, cause);
  }
}
