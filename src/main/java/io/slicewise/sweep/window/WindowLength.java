package io.slicewise.sweep.window;

import io.slicewise.experiment.Experiment;
import io.slicewise.run.result.LoadResult;
import io.slicewise.run.result.TrialResult;
import java.util.List;

/** Whether a window has enough samples for the percentile that the experiment's goal is about. */
final class WindowLength {
  private WindowLength() {}

  /** Returns a sentence where it has too few. */
  static List<String> remarks(Experiment experiment, TrialResult result) {
    long samples = result.load().map(LoadResult::samples).orElse(Long.MAX_VALUE);
    return experiment
        .aim()
        .goal()
        .filter(goal -> samples < goal.samples())
        .map(
            goal ->
                "%d samples are too few for %s, which needs %d: lengthen 'window' of design"
                    .formatted(samples, goal.metric(), goal.samples()))
        .stream()
        .toList();
  }
}
