package io.slicewise.tune.course;

import io.slicewise.run.PlannedTrial;
import java.util.List;

/**
 * What a tune does next.
 *
 * @param trials to run; empty when the tune is over for this night
 * @param reason why trials of a new kind begin, or why there are no more; empty in the middle
 */
public record CourseStep(List<PlannedTrial> trials, String reason) {
  public CourseStep {
    trials = List.copyOf(trials);
  }
}
