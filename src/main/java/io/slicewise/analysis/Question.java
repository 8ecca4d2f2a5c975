package io.slicewise.analysis;

import io.slicewise.stats.Band;
import io.slicewise.sweep.TrialResult;
import java.util.List;

/**
 * What a sweep is asked: which metric decides, and which change is too small to matter. The primary
 * metric alone is adjusted for its family of comparisons; every other metric is exploratory.
 */
public record Question(Metric primary, Band band) {
  /**
   * The question for results whose experiment does not name a metric: p95 of the response time,
   * where every valid trial has samples enough to know it; the mean otherwise.
   */
  public static Question suitedTo(List<TrialResult> results) {
    boolean known =
        results.stream()
            .filter(TrialResult::valid)
            .allMatch(trial -> CellTrials.value(trial, Metric.P95).isPresent());
    return new Question(known ? Metric.P95 : Metric.MEAN, Band.DEFAULT);
  }
}
