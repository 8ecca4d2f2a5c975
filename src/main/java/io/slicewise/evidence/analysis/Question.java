package io.slicewise.evidence.analysis;

import io.slicewise.base.units.Phrase;
import io.slicewise.base.units.Plural;
import io.slicewise.experiment.Experiment;
import io.slicewise.run.result.TrialResult;
import io.slicewise.stats.Band;
import java.util.List;
import java.util.Optional;

/**
 * The question of a sweep: the primary metric, and the change that is too small to matter. Only the
 * primary metric is adjusted for multiple comparisons; all others are exploratory.
 */
public record Question(Metric primary, Band band) {
  /**
   * Returns the experiment's question: the metric of its goal if every valid trial, or every
   * session, has it, or if none has the default; otherwise the default.
   */
  public static Question of(Experiment experiment, List<TrialResult> results) {
    return goal(experiment)
        .filter(metric -> decides(experiment, results, metric))
        .map(metric -> new Question(metric, Band.DEFAULT))
        .orElseGet(() -> suitedTo(results));
  }

  private static Optional<Metric> goal(Experiment experiment) {
    return experiment.aim().goal().map(goal -> Metric.of(goal));
  }

  /** Returns why another metric decides than that of the goal; empty if the goal's does. */
  public static Optional<String> replacement(Experiment experiment, List<TrialResult> results) {
    return goal(experiment)
        .filter(metric -> !decides(experiment, results, metric))
        .map(
            metric -> {
              List<CellTrials> cells = CellTrials.of(experiment, results);
              long all = cells.stream().mapToLong(cell -> cell.replicates().size()).sum();
              long known = cells.stream().mapToLong(cell -> cell.blocks(metric).size()).sum();
              return "decided by %s: the goal's %s"
                  .formatted(suitedTo(results).primary(), unknown(metric, experiment, known, all));
            });
  }

  /** Returns in how many replicates a metric is unknown, and what it needs, as a phrase. */
  public static String unknown(Metric metric, Experiment experiment, long known, long all) {
    String need =
        metric.isWorstTile()
            ? ", in which a tile has too few samples"
            : metric
                .percentile()
                .map(of -> Phrase.of(", which have fewer than %,d samples", of.samples()))
                .orElse("");
    return "%s is unknown in %d of %d %s%s"
        .formatted(
            metric,
            all - known,
            all,
            experiment.design().isPresent()
                ? "results of a profile in a session"
                : Plural.noun(all, "trial"),
            need);
  }

  /**
   * Returns the default question: p95 of the response time if every valid trial has enough samples,
   * otherwise the mean.
   */
  public static Question suitedTo(List<TrialResult> results) {
    return new Question(isKnown(results, Metric.P95) ? Metric.P95 : Metric.MEAN, Band.DEFAULT);
  }

  private static boolean decides(Experiment experiment, List<TrialResult> results, Metric metric) {
    Metric suited = suitedTo(results).primary();
    return isKnown(experiment, results, metric)
        || results.stream()
            .filter(TrialResult::valid)
            .noneMatch(trial -> CellTrials.value(trial, suited).isPresent());
  }

  /**
   * Returns whether a metric is known; a session may have a percentile that its single windows
   * cannot provide.
   */
  private static boolean isKnown(Experiment experiment, List<TrialResult> results, Metric metric) {
    return experiment.design().isPresent()
        ? CellTrials.of(experiment, results).stream().allMatch(cell -> cell.knows(metric))
        : isKnown(results, metric);
  }

  private static boolean isKnown(List<TrialResult> results, Metric metric) {
    return results.stream()
        .filter(TrialResult::valid)
        .allMatch(trial -> CellTrials.value(trial, metric).isPresent());
  }
}
