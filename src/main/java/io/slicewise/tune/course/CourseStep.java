package io.slicewise.tune.course;

import io.slicewise.run.journal.PlannedTrial;
import java.util.List;

/**
 * The next step of a tune.
 *
 * @param trials to run; empty if the tune is over for this night
 * @param reason why trials of a new kind start, or why there are no more; otherwise empty
 */
public record CourseStep(List<PlannedTrial> trials, String reason) {
  public CourseStep {
    trials = List.copyOf(trials);
  }
}
