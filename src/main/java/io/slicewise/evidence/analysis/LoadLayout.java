package io.slicewise.evidence.analysis;

import io.slicewise.evidence.analysis.EffectMethod.Layout;
import io.slicewise.experiment.Experiment;
import io.slicewise.experiment.load.Load;
import io.slicewise.run.result.TrialResult;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Predicate;

/**
 * The observations of several profiles at one load, arranged for a comparison of all of them.
 *
 * @param profiles in the experiment's order
 * @param basis of the comparison; if it is blocked, logarithms with the same index are of one block
 * @param logs by profile
 * @param least deviation of one observation of each profile, on logarithms, if all of its trials
 *     agree: they are uniformly distributed within the resolution, whose deviation is its width
 *     divided by √12
 * @param incomplete blocks omitted because a profile has no valid trial in them
 */
public record LoadLayout(
    Load load,
    List<String> profiles,
    Basis basis,
    List<double[]> logs,
    List<Double> least,
    List<Integer> incomplete) {

  /**
   * Returns the loads at which the chosen profiles have values that share something, without
   * profiles that have none or are A/A controls.
   */
  public static List<LoadLayout> of(
      Experiment experiment, List<TrialResult> results, Metric metric, Predicate<String> chosen) {
    EffectMethod method = EffectMethod.of(experiment, results);
    List<CellTrials> cells =
        method.cells().stream()
            .filter(cell -> chosen.test(cell.profile()))
            .filter(cell -> cell.values(metric).length > 0)
            .filter(cell -> Arrays.stream(cell.values(metric)).allMatch(x -> x > 0))
            .toList();
    List<LoadLayout> layouts = new ArrayList<>();
    for (Load load : experiment.loads()) {
      List<CellTrials> its = cells.stream().filter(cell -> cell.load().equals(load)).toList();
      if (!its.isEmpty()) {
        method.layout(its, metric).ifPresent(layout -> layouts.add(of(load, its, layout, metric)));
      }
    }
    return layouts;
  }

  private static LoadLayout of(Load load, List<CellTrials> cells, Layout layout, Metric metric) {
    return new LoadLayout(
        load,
        cells.stream().map(CellTrials::profile).toList(),
        layout.basis(),
        layout.values().stream().map(x -> Arrays.stream(x).map(Math::log).toArray()).toList(),
        cells.stream().map(cell -> leastScatter(cell, metric)).toList(),
        layout.incomplete());
  }

  private static double leastScatter(CellTrials cell, Metric metric) {
    double[] values = cell.values(metric);
    return metric.isCoarse(values)
        ? Math.log1p(metric.resolution(cell.shortestWindow()) / values[0]) / Math.sqrt(12)
        : 0;
  }

  /** Returns the number of observations of the profile with fewest. */
  public int repetitions() {
    return logs.stream().mapToInt(its -> its.length).min().orElse(0);
  }
}
