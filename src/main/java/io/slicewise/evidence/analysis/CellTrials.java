package io.slicewise.evidence.analysis;

import io.slicewise.experiment.Experiment;
import io.slicewise.experiment.Load;
import io.slicewise.run.LoadResult;
import io.slicewise.run.TrialResult;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.NavigableSet;
import java.util.OptionalDouble;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * The trials of one cell, in the order of their numbers.
 *
 * @param valid those that count
 */
record CellTrials(String profile, Load load, List<TrialResult> valid) {
  CellTrials {
    valid = List.copyOf(valid);
  }

  /** Returns every cell of the experiment by load and profile, including those without trials. */
  static List<CellTrials> of(Experiment experiment, List<TrialResult> results) {
    List<TrialResult> valid =
        results.stream()
            .filter(TrialResult::valid)
            .sorted(Comparator.comparingInt(result -> result.trial().number()))
            .toList();
    List<CellTrials> cells = new ArrayList<>();
    for (Load load : experiment.loads()) {
      for (String profile : Summaries.profileNames(experiment)) {
        cells.add(
            new CellTrials(
                profile,
                load,
                valid.stream()
                    .filter(result -> result.trial().load().equals(load))
                    .filter(result -> result.trial().profile().equals(profile))
                    .toList()));
      }
    }
    return cells;
  }

  /** Returns the metric's known values. */
  double[] values(Metric metric) {
    return valid.stream()
        .map(trial -> value(trial, metric))
        .filter(OptionalDouble::isPresent)
        .mapToDouble(OptionalDouble::getAsDouble)
        .toArray();
  }

  /** The seconds of the shortest window; infinite without a trial. */
  double shortestWindow() {
    return valid.stream()
        .mapToDouble(trial -> trial.window().seconds())
        .min()
        .orElse(Double.POSITIVE_INFINITY);
  }

  /** Returns the blocks with a known value, ascending. */
  NavigableSet<Integer> blocks(Metric metric) {
    return valid.stream()
        .filter(trial -> value(trial, metric).isPresent())
        .map(trial -> trial.trial().block())
        .collect(Collectors.toCollection(TreeSet::new));
  }

  /** Returns the metric in a block of {@link #blocks}. */
  double inBlock(int block, Metric metric) {
    return valid.stream()
        .filter(trial -> trial.trial().block() == block)
        .map(trial -> value(trial, metric))
        .filter(OptionalDouble::isPresent)
        .mapToDouble(OptionalDouble::getAsDouble)
        .findFirst()
        .orElseThrow();
  }

  /** Returns a trial's value of the metric; empty if it is unknown or nothing was loaded. */
  static OptionalDouble value(TrialResult trial, Metric metric) {
    return trial
        .load()
        .map(load -> value(load, metric))
        .filter(Double::isFinite)
        .map(OptionalDouble::of)
        .orElseGet(OptionalDouble::empty);
  }

  static double value(LoadResult load, Metric metric) {
    return switch (metric) {
      case THROUGHPUT -> load.throughput();
      case MEAN -> load.meanMillis();
      case P50 -> load.p50Millis();
      case P95 -> load.p95Millis();
      case P99 -> load.p99Millis();
      case ERRORS ->
          load.samples() == 0 ? Double.NaN : (double) load.failed() / (double) load.samples();
    };
  }
}
