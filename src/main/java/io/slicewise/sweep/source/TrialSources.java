package io.slicewise.sweep.source;

import io.slicewise.experiment.Experiment;

/** Selects the source of trials for an experiment. */
public final class TrialSources {
  private TrialSources() {}

  public static TrialSource of(Experiment experiment) {
    if (experiment.design().isPresent()) {
      return new SwitchbackPlan(experiment);
    }
    TrialSource plan =
        experiment.stop().isPresent() ? new UntilPrecise(experiment) : new FixedPlan(experiment);
    return new Retrying(plan, experiment);
  }
}
