package io.slicewise.run.journal;

/** Why a trial is run. */
public enum Purpose {
  /** The experiment's own plan. */
  PLAN,
  /** Measures the settings found, for the simulation of candidates. */
  CALIBRATION,
  /** Compares candidates of a tune. */
  RACE,
  /** Measures the choice of a tune and the settings found anew. */
  CONFIRMATION
}
