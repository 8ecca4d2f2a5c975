package io.slicewise.evidence.analysis;

import io.slicewise.base.units.Phrase;
import io.slicewise.base.units.Plural;
import io.slicewise.experiment.Experiment;
import io.slicewise.run.result.TrialResult;
import io.slicewise.stats.Band;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;

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
    Metric usual = suitedTo(results).primary();
    return new Question(
        decisive(
            experiment,
            usual,
            metric -> isKnown(experiment, results, metric),
            () -> isMeasured(results, usual)),
        Band.DEFAULT);
  }

  /**
   * Returns the metric of the experiment's goal if it is known, or if nobody measured the usual
   * one; otherwise the usual one.
   */
  public static Metric decisive(
      Experiment experiment, Metric usual, Predicate<Metric> known, BooleanSupplier measured) {
    return goal(experiment)
        .filter(metric -> known.test(metric) || !measured.getAsBoolean())
        .orElse(usual);
  }

  private static Optional<Metric> goal(Experiment experiment) {
    return experiment.aim().goal().map(goal -> Metric.of(goal));
  }

  /** Returns why another metric decides than that of the goal; empty if the goal's does. */
  public static Optional<String> replacement(Experiment experiment, List<TrialResult> results) {
    Metric usual = suitedTo(results).primary();
    return goal(experiment)
        .filter(metric -> !isKnown(experiment, results, metric) && isMeasured(results, usual))
        .map(
            metric -> {
              List<CellTrials> cells = CellTrials.of(experiment, results);
              long all = cells.stream().mapToLong(cell -> cell.replicates().size()).sum();
              long known = cells.stream().mapToLong(cell -> cell.blocks(metric).size()).sum();
              return "decided by %s: the goal's %s"
                  .formatted(usual, unknown(metric, experiment, known, all));
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

  /** Returns whether any valid trial has the metric. */
  private static boolean isMeasured(List<TrialResult> results, Metric metric) {
    return results.stream()
        .filter(TrialResult::valid)
        .anyMatch(trial -> CellTrials.value(trial, metric).isPresent());
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
