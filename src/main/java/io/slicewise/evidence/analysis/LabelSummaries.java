package io.slicewise.evidence.analysis;

import io.slicewise.base.units.Measure;
import io.slicewise.evidence.analysis.CellSummary.LabelSummary;
import io.slicewise.evidence.analysis.CellSummary.MeasureSummary;
import io.slicewise.evidence.facts.Replicates;
import io.slicewise.experiment.goal.OutcomeMetric;
import io.slicewise.experiment.load.Load;
import io.slicewise.run.result.LoadResult;
import io.slicewise.run.result.TrialResult;
import io.slicewise.stats.Estimate;
import io.slicewise.stats.IntervalMethod;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Summaries of a cell by label (a guest, a kind of task, a query), and the workload's measures.
 *
 * <p>If a trial's window has no sample of a label, its rate there is 0 and its times are unknown.
 * Leaving out the rate would make a starving guest look as busy as in its good trials.
 *
 * @param results of the whole sweep, since the labels of a load come from all its profiles
 */
record LabelSummaries(List<TrialResult> results, IntervalMethod interval, double confidence) {
  LabelSummaries {
    results = List.copyOf(results);
  }

  /** Returns the labels of valid trials at a load, in order of first appearance. */
  private List<String> names(Load load) {
    return results.stream()
        .filter(trial -> trial.valid() && trial.trial().load().equals(load))
        .flatMap(trial -> trial.load().stream())
        .flatMap(loaded -> loaded.labels().stream())
        .map(LoadResult::label)
        .distinct()
        .toList();
  }

  /** Returns summaries by label; empty if all samples at the load have the same label. */
  List<LabelSummary> labels(CellTrials cell) {
    List<TrialResult> results = results(cell.valid());
    List<String> names = results.isEmpty() ? List.of() : names(cell.load());
    return names.size() < 2
        ? List.of()
        : names.stream().map(name -> new LabelSummary(name, metrics(name, results))).toList();
  }

  /** Returns whether a trial of the cell lacks a label that another trial at the load has. */
  boolean anyAbsent(CellTrials cell) {
    List<String> names = names(cell.load());
    return results(cell.valid()).stream()
        .anyMatch(trial -> names.stream().anyMatch(name -> of(name, trial).isEmpty()));
  }

  private static List<TrialResult> results(List<TrialResult> trials) {
    return trials.stream()
        .filter(trial -> trial.load().filter(load -> !load.labels().isEmpty()).isPresent())
        .toList();
  }

  private Map<Metric, Estimate> metrics(String name, List<TrialResult> trials) {
    Map<Metric, Estimate> metrics = new LinkedHashMap<>();
    for (Metric metric : Metric.OF_LOAD) {
      double absent = metric.equals(Metric.THROUGHPUT) ? 0 : Double.NaN;
      double[] values =
          Replicates.means(trials, trial -> of(name, trial).map(metric::value).orElse(absent));
      if (values.length > 0) {
        metrics.put(metric, metric.estimate(interval, confidence, values));
      }
    }
    return metrics;
  }

  private static Optional<LoadResult> of(String name, TrialResult trial) {
    return trial.load().stream()
        .flatMap(load -> load.labels().stream())
        .filter(label -> label.label().equals(name) && label.samples() > 0)
        .findFirst();
  }

  /** Returns the measures by name, over the trials with known values. */
  List<MeasureSummary> measures(List<TrialResult> trials) {
    Map<String, Measure> first = new LinkedHashMap<>();
    trials.stream()
        .flatMap(trial -> trial.measures().stream())
        .filter(measure -> Double.isFinite(measure.value()))
        .forEach(measure -> first.putIfAbsent(measure.name(), measure));
    return first.values().stream()
        .map(
            one ->
                new MeasureSummary(
                    one.name(),
                    one.unit(),
                    one.moreIsBetter(),
                    interval.estimate(
                        confidence,
                        Replicates.means(
                            trials,
                            trial -> new OutcomeMetric(one.name()).value(trial.measures())))))
        .toList();
  }
}
