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
    List<double[]> values =
        layout.values().stream()
            .map(x -> Arrays.stream(x).map(value -> sign * Math.log(value)).toArray())
            .toList();
    double least = leastScatter(cells, metric);
    HsuBest best =
        layout.basis().isBlocked()
            ? HsuBest.blocked(CONFIDENCE, least, values)
            : HsuBest.independent(CONFIDENCE, least, values);
    return new BestSet(
        load,
        metric,
        places(cells, best, sign),
        layout.basis(),
        values.stream().mapToInt(x -> x.length).min().orElse(0),
        layout.incomplete(),
        Math.sqrt(Math.expm1(best.scatter() * best.scatter())),
        best.degreesOfFreedom());
  }

  /**
   * Returns the smallest deviation of values, on logarithms, if all trials agree with their cell:
   * they are uniformly distributed within the resolution, whose deviation is its width divided by
   * √12.
   */
  private static double leastScatter(List<CellTrials> cells, Metric metric) {
    if (!cells.stream().allMatch(cell -> metric.isCoarse(cell.values(metric)))) {
      return 0;
    }
    return cells.stream()
        .mapToDouble(
            cell ->
                Math.log1p(metric.resolution(cell.shortestWindow()) / cell.values(metric)[0])
                    / Math.sqrt(12))
        .max()
        .orElse(0);
  }

  private static List<BestSet.Place> places(List<CellTrials> cells, HsuBest best, double sign) {
    List<BestSet.Place> places = new ArrayList<>();
    for (int i = 0; i < cells.size(); i++) {
      HsuBest.Contender contender = best.contenders().get(i);
      double one = 100 * Math.expm1(sign * contender.low());
      double other = 100 * Math.expm1(sign * contender.high());
      places.add(
          new BestSet.Place(
              cells.get(i).profile(),
              Math.exp(sign * contender.mean()),
              Math.min(one, other),
              Math.max(one, other),
              contender.inBestSet()));
    }
    return places;
  }
}
