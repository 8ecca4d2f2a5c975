package io.slicewise.run;

/**
 * Something in a run directory that is not as it was written.
 *
 * @param place the file, with the line where there is one
 * @param what happened to it and what that means, as a clause
 */
public record RunDamage(Kind kind, String place, String what) {
  /** The kinds of damage. */
  public enum Kind {
    /** The journal is missing although the run has trials. */
    JOURNAL_MISSING(true, true),
    /** Lines of the journal are missing. */
    JOURNAL_LINES_MISSING(true, true),
    /** A line of the journal is not as it was written. */
    JOURNAL_ALTERED(true, true),
    /** It cannot be verified that the journal is complete. */
    JOURNAL_END_UNKNOWN(false, false),
    /** The journal has a line twice; it counts once. */
    JOURNAL_REPEATED(false, false),
    /**
     * Lines of the journal are out of order; they are used in the order in which they were written.
     */
    JOURNAL_ORDER(false, false),
    /** The journal was rebuilt, and settings of the host were among what it lost. */
    SETTINGS_IN_DOUBT(true, false),
    /** The record of a finished trial is missing. */
    TRIAL_MISSING(false, true),
    /** The record of a finished trial is not as it was written. */
    TRIAL_ALTERED(false, true),
    /** The record in a trial's directory is another trial's. */
    TRIAL_FOREIGN(false, true),
    /** A trial has a record, and the journal does not say that it finished. */
    TRIAL_UNKNOWN(false, true),
    /** What the run ran on is not as it was written. */
    ENVIRONMENT_ALTERED(false, false),
    /** Settings found differ between the journal and {@code environment.json}. */
    SETTINGS_DIFFER(true, false);

    private final boolean settings;
    private final boolean trials;

    Kind(boolean settings, boolean trials) {
      this.settings = settings;
      this.trials = trials;
    }
  }

  /** Whether what the journal says about settings of the host cannot be trusted. */
  public boolean concernsSettings() {
    return kind.settings;
  }

  /** Whether trials may be missing from the results. */
  public boolean concernsTrials() {
    return kind.trials;
  }

  /** The damage as a sentence without a full stop. */
  public String sentence() {
    return "%s: %s".formatted(place, what);
  }
}
