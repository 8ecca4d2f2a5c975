package io.slicewise.run.result;

import io.slicewise.experiment.Experiment;
import io.slicewise.experiment.Trial;
import java.util.List;

/**
 * The trials of a kind of study whose results decide which come next: a pure function of what was
 * measured, so that a resumed run goes on as an uninterrupted one.
 */
public interface Search {
  /** Returns all trials that it could need, in their order. */
  List<Trial> plan(Experiment experiment);

  /** Returns the trials to run next, none if nothing is left to find, and why. */
  Round next(Experiment experiment, List<Measured> measured);

  /**
   * Trials that do not depend on the results of each other.
   *
   * @param reason why they come next, as a phrase
   */
  record Round(List<Trial> trials, String reason) {
    public Round {
      trials = List.copyOf(trials);
    }
  }
}
