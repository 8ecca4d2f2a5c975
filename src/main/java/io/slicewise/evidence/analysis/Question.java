package io.slicewise.evidence.analysis;

import io.slicewise.experiment.Experiment;
import io.slicewise.run.TrialResult;
import io.slicewise.stats.Band;
import java.util.List;

/**
 * What a sweep is asked: which metric decides, and which change is too small to matter. The primary
 * metric alone is adjusted for its family of comparisons; every other metric is exploratory.
 */
public record Question(Metric primary, Band band) {
  /**
   * The question that the experiment asks itself: the metric of its goal, where every valid trial
   * knows that, and otherwise what suits the results.
   */
  public static Question of(Experiment experiment, List<TrialResult> results) {
    return experiment
        .aim()
        .goal()
        .map(goal -> Metric.of(goal.metric()))
        .filter(metric -> isKnown(results, metric))
        .map(metric -> new Question(metric, Band.DEFAULT))
        .orElseGet(() -> suitedTo(results));
  }

  /**
   * The question for results whose experiment does not name a metric: p95 of the response time,
   * where every valid trial has samples enough to know it; the mean otherwise.
   */
  public static Question suitedTo(List<TrialResult> results) {
    return new Question(isKnown(results, Metric.P95) ? Metric.P95 : Metric.MEAN, Band.DEFAULT);
  }

  private static boolean isKnown(List<TrialResult> results, Metric metric) {
    return results.stream()
        .filter(TrialResult::valid)
        .allMatch(trial -> CellTrials.value(trial, metric).isPresent());
  }
}
