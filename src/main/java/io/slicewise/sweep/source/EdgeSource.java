package io.slicewise.sweep.source;

import io.slicewise.experiment.Experiment;
import io.slicewise.run.PlannedTrial;
import io.slicewise.tune.capacity.EdgeCourse;

/** The trials of a search for the most guests that fit. */
record EdgeSource(Experiment experiment) implements TrialSource {
  @Override
  public Answer next(TrialHistory history) {
    EdgeCourse course = new EdgeCourse(experiment, history.measured());
    return new Answer(history.open(PlannedTrial.of(experiment, course.next())), course.reason());
  }
}
