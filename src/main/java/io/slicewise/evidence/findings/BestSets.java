package io.slicewise.evidence.findings;

import io.slicewise.evidence.analysis.Comparisons;
import io.slicewise.evidence.analysis.LoadLayout;
import io.slicewise.evidence.analysis.Metric;
import io.slicewise.experiment.Experiment;
import io.slicewise.run.result.TrialResult;
import io.slicewise.stats.HsuBest;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** The best set at each load: Hsu's comparisons with the best on logarithms. */
public final class BestSets {
  private static final double CONFIDENCE = 0.95;

  private BestSets() {}

  /**
   * Returns one set per load, in the experiment's order, without loads and profiles that have no
   * values, and without A/A controls.
   */
  public static List<BestSet> of(Experiment experiment, List<TrialResult> results, Metric metric) {
    return LoadLayout.of(
            experiment, results, metric, name -> !Comparisons.isControl(experiment, name))
        .stream()
        .map(layout -> bestSet(layout, metric))
        .toList();
  }

  private static BestSet bestSet(LoadLayout layout, Metric metric) {
    double sign = metric.moreIsBetter() ? 1 : -1;
    List<double[]> settings =
        layout.logs().stream()
            .map(logs -> Arrays.stream(logs).map(log -> sign * log).toArray())
            .toList();
    double[] least = layout.least().stream().mapToDouble(Double::doubleValue).toArray();
    HsuBest best =
        layout.basis().isBlocked()
            ? HsuBest.blocked(CONFIDENCE, settings, least)
            : HsuBest.independent(CONFIDENCE, settings, least);
    List<BestSet.Place> places = new ArrayList<>();
    for (int i = 0; i < settings.size(); i++) {
      places.add(new BestSet.Place(layout.profiles().get(i), best.contenders().get(i).inBestSet()));
    }
    return new BestSet(
        layout.load(),
        metric,
        places,
        layout.basis(),
        layout.repetitions(),
        layout.incomplete(),
        best.known());
  }
}
