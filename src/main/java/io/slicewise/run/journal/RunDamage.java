package io.slicewise.run.journal;

/**
 * A damaged part of a run directory.
 *
 * @param place the file, with the line if there is one
 * @param what happened to it and the consequence, as a clause
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
    /** The journal contains a line twice; it counts once. */
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
    /** A trial has a record, but is not finished in the journal. */
    TRIAL_UNKNOWN(false, true),
    /** The record of the run's environment is not as it was written. */
    ENVIRONMENT_ALTERED(false, false);

    private final boolean settings;
    private final boolean trials;

    Kind(boolean settings, boolean trials) {
      this.settings = settings;
      this.trials = trials;
    }
  }

  /** Whether the journal's information on the host's settings is unreliable. */
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
