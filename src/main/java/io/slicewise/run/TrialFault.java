package io.slicewise.run;

/** A trial cannot go on; the reason is a sentence for the journal. The host itself is well. */
public final class TrialFault extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public TrialFault(String reason) {
    super(reason);
  }

  public TrialFault(String reason, Throwable cause) {
    super(reason, cause);
  }
}
