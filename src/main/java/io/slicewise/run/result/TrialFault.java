package io.slicewise.run.result;

import io.slicewise.base.units.ErrorKind;
import io.slicewise.base.units.HintedException;
import java.util.Optional;

/**
 * A trial cannot continue; the message is the reason in the journal. The host itself is not
 * affected.
 */
public final class TrialFault extends HintedException {
  private static final long serialVersionUID = 1L;

  private final String lostGenerator;

  public TrialFault(String reason) {
    this(reason, null, "");
  }

  public TrialFault(String reason, Throwable cause) {
    this(reason, cause, "");
  }

  private TrialFault(String reason, Throwable cause, String lostGenerator) {
    super(ErrorKind.TRIAL_FAILED, reason, "", cause);
    this.lostGenerator = lostGenerator;
  }

  /** A load that ended because one of its generators was lost. */
  public static TrialFault lost(String generator, String reason) {
    return new TrialFault(reason, null, generator);
  }

  /** Returns the generator whose loss is the reason; empty if it is another one. */
  public Optional<String> lostGenerator() {
    return Optional.of(lostGenerator).filter(name -> !name.isEmpty());
  }
}
