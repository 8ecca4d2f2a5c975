package io.slicewise.evidence.analysis;

import io.slicewise.experiment.Experiment;
import io.slicewise.run.result.TrialResult;
import io.slicewise.stats.Band;
import java.util.List;

/**
 * The question of a sweep: the primary metric, and the change that is too small to matter. Only the
 * primary metric is adjusted for multiple comparisons; all others are exploratory.
 */
public record Question(Metric primary, Band band) {
  /**
   * Returns the experiment's question: the metric of its goal if every valid trial, or every
   * session, has it, otherwise the default.
   */
  public static Question of(Experiment experiment, List<TrialResult> results) {
    return experiment
        .aim()
        .goal()
        .map(goal -> Metric.of(goal))
        .filter(metric -> isKnown(experiment, results, metric))
        .map(metric -> new Question(metric, Band.DEFAULT))
        .orElseGet(() -> suitedTo(results));
  }

  /**
   * Returns the default question: p95 of the response time if every valid trial has enough samples,
   * otherwise the mean.
   */
  public static Question suitedTo(List<TrialResult> results) {
    return new Question(isKnown(results, Metric.P95) ? Metric.P95 : Metric.MEAN, Band.DEFAULT);
  }

  /**
   * Returns whether a metric is known; a session may have a percentile that its single windows
   * cannot provide.
   */
  private static boolean isKnown(Experiment experiment, List<TrialResult> results, Metric metric) {
    return experiment.design().isPresent()
        ? CellTrials.of(experiment, results).stream()
            .allMatch(cell -> cell.blocks(metric).size() == cell.replicates().size())
        : isKnown(results, metric);
  }

  private static boolean isKnown(List<TrialResult> results, Metric metric) {
    return results.stream()
        .filter(TrialResult::valid)
        .allMatch(trial -> CellTrials.value(trial, metric).isPresent());
  }
}
