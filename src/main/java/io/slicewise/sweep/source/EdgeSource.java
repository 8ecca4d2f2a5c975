package io.slicewise.sweep.source;

import io.slicewise.experiment.Experiment;
import io.slicewise.run.journal.PlannedTrial;
import io.slicewise.tune.capacity.EdgeCourse;
import java.util.List;

/** The trials of a search for the most guests that fit. */
record EdgeSource(Experiment experiment) implements TrialSource {
  @Override
  public Answer next(TrialHistory history) {
    EdgeCourse course = new EdgeCourse(experiment, history.measured());
    return new Answer(history.open(PlannedTrial.of(experiment, course.next())), course.reason());
  }

  /** Returns all trials that a search could need: which of them it has, its results decide. */
  @Override
  public List<PlannedTrial> possible(TrialHistory planned) {
    return PlannedTrial.of(experiment, new EdgeCourse(experiment, List.of()).plan());
  }
}
