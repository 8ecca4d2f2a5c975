package io.slicewise.analysis;

import io.slicewise.analysis.CellSummary.LabelSummary;
import io.slicewise.analysis.CellSummary.MeasureSummary;
import io.slicewise.stats.Estimate;
import io.slicewise.stats.IntervalMethod;
import io.slicewise.sweep.LoadResult;
import io.slicewise.sweep.TrialResult;
import io.slicewise.units.Measure;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What a cell's trials say by label (a guest, a kind of task, a query), and their own measures. */
record LabelSummaries(IntervalMethod interval, double confidence) {
  /** By label, as the trials name them in order; empty when all samples have the same. */
  List<LabelSummary> labels(List<TrialResult> trials) {
    Map<String, List<LoadResult>> byLabel = new LinkedHashMap<>();
    trials.stream()
        .flatMap(trial -> trial.load().stream())
        .flatMap(load -> load.labels().stream())
        .forEach(
            result ->
                byLabel.computeIfAbsent(result.label(), key -> new ArrayList<>()).add(result));
    if (byLabel.size() < 2) {
      return List.of();
    }
    return byLabel.entrySet().stream()
        .map(entry -> new LabelSummary(entry.getKey(), metrics(entry.getValue())))
        .toList();
  }

  private Map<Metric, Estimate> metrics(List<LoadResult> results) {
    Map<Metric, Estimate> metrics = new EnumMap<>(Metric.class);
    for (Metric metric : Metric.values()) {
      double[] values =
          results.stream()
              .mapToDouble(result -> CellTrials.value(result, metric))
              .filter(Double::isFinite)
              .toArray();
      if (values.length > 0) {
        metrics.put(metric, interval.estimate(confidence, values));
      }
    }
    return metrics;
  }

  /** By name, over the trials in which the measure is known. */
  List<MeasureSummary> measures(List<TrialResult> trials) {
    Map<String, List<Measure>> byName = new LinkedHashMap<>();
    trials.stream()
        .flatMap(trial -> trial.measures().stream())
        .filter(measure -> Double.isFinite(measure.value()))
        .forEach(
            measure ->
                byName.computeIfAbsent(measure.name(), key -> new ArrayList<>()).add(measure));
    return byName.values().stream().map(this::measure).toList();
  }

  private MeasureSummary measure(List<Measure> values) {
    Measure one = values.get(0);
    return new MeasureSummary(
        one.name(),
        one.unit(),
        one.moreIsBetter(),
        interval.estimate(confidence, values.stream().mapToDouble(Measure::value).toArray()));
  }
}
