package io.slicewise.evidence.analysis;

import io.slicewise.evidence.analysis.EffectMethod.Layout;
import io.slicewise.experiment.Experiment;
import io.slicewise.experiment.Load;
import io.slicewise.run.TrialResult;
import io.slicewise.stats.HsuBest;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** The best set at each load: Hsu's comparisons with the best on logarithms. */
public final class BestSets {
  private static final double CONFIDENCE = 0.95;

  private BestSets() {}

  /**
   * Returns one set per load, in the experiment's order, without loads and profiles that have no
   * values, and without A/A controls.
   */
  public static List<BestSet> of(Experiment experiment, List<TrialResult> results, Metric metric) {
    EffectMethod method = EffectMethod.of(experiment, results);
    List<CellTrials> cells =
        method.cells().stream()
            .filter(cell -> !Comparisons.isControl(experiment, cell.profile()))
            .filter(cell -> cell.values(metric).length > 0)
            .filter(cell -> Arrays.stream(cell.values(metric)).allMatch(x -> x > 0))
            .toList();
    List<BestSet> sets = new ArrayList<>();
    for (Load load : experiment.loads()) {
      List<CellTrials> atLoad = cells.stream().filter(cell -> cell.load().equals(load)).toList();
      bestSet(method, atLoad, load, metric).ifPresent(sets::add);
    }
    return sets;
  }

  private static Optional<BestSet> bestSet(
      EffectMethod method, List<CellTrials> cells, Load load, Metric metric) {
    return cells.isEmpty()
        ? Optional.empty()
        : method.layout(cells, metric).map(layout -> bestSet(layout, cells, load, metric));
  }

  private static BestSet bestSet(Layout layout, List<CellTrials> cells, Load load, Metric metric) {
    double sign = metric.moreIsBetter() ? 1 : -1;
    List<double[]> settings =
        layout.values().stream()
            .map(x -> Arrays.stream(x).map(value -> sign * Math.log(value)).toArray())
            .toList();
    double[] least = cells.stream().mapToDouble(cell -> leastScatter(cell, metric)).toArray();
    HsuBest best =
        layout.basis().isBlocked()
            ? HsuBest.blocked(CONFIDENCE, settings, least)
            : HsuBest.independent(CONFIDENCE, settings, least);
    List<BestSet.Place> places = new ArrayList<>();
    for (int i = 0; i < cells.size(); i++) {
      places.add(new BestSet.Place(cells.get(i).profile(), best.contenders().get(i).inBestSet()));
    }
    return new BestSet(
        load,
        metric,
        places,
        layout.basis(),
        layout.values().stream().mapToInt(x -> x.length).min().orElse(0),
        layout.incomplete(),
        best.known());
  }

  /**
   * Returns the smallest deviation of values, on logarithms, if all trials of a cell agree: they
   * are uniformly distributed within the resolution, whose deviation is its width divided by √12.
   */
  private static double leastScatter(CellTrials cell, Metric metric) {
    double[] values = cell.values(metric);
    return metric.isCoarse(values)
        ? Math.log1p(metric.resolution(cell.shortestWindow()) / values[0]) / Math.sqrt(12)
        : 0;
  }
}
