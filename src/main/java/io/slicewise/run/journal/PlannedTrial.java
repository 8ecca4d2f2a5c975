package io.slicewise.run.journal;

import io.slicewise.experiment.Experiment;
import io.slicewise.experiment.Trial;
import io.slicewise.profile.SchedulerProfile;
import java.util.List;

/** A trial with its settings. The profile need not be in the experiment file. */
public record PlannedTrial(Trial trial, SchedulerProfile profile, Purpose purpose) {
  public PlannedTrial {
    if (!profile.name().equals(trial.profile())) {
      throw new IllegalArgumentException(
          "trial %s has profile %s, not %s"
              .formatted(trial.slug(), trial.profile(), profile.name()));
    }
  }

  /** A trial of the experiment's own plan. */
  public PlannedTrial(Trial trial, SchedulerProfile profile) {
    this(trial, profile, Purpose.PLAN);
  }

  /** Returns these trials with the settings of the experiment's profiles. */
  public static List<PlannedTrial> of(Experiment experiment, List<Trial> trials) {
    return trials.stream()
        .map(trial -> new PlannedTrial(trial, experiment.profile(trial.profile())))
        .toList();
  }

  /** Returns another attempt of this trial. */
  public PlannedTrial attempt(int which) {
    return new PlannedTrial(trial.attempt(which), profile, purpose);
  }

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
}
