package io.slicewise.run;

import io.slicewise.base.units.ErrorKind;
import io.slicewise.base.units.HintedException;

/**
 * A trial cannot continue; the message is the reason in the journal. The host itself is not
 * affected.
 */
public final class TrialFault extends HintedException {
  private static final long serialVersionUID = 1L;

  public TrialFault(String reason) {
    this(reason, null);
  }

  public TrialFault(String reason, Throwable cause) {
    super(ErrorKind.TRIAL_FAILED, reason, "", cause);
  }
}
