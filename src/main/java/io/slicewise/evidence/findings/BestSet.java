package io.slicewise.evidence.findings;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.slicewise.evidence.analysis.Basis;
import io.slicewise.evidence.analysis.Comparisons;
import io.slicewise.evidence.analysis.LoadLayout;
import io.slicewise.evidence.analysis.Metric;
import io.slicewise.experiment.Experiment;
import io.slicewise.experiment.load.Load;
import io.slicewise.run.result.TrialResult;
import io.slicewise.stats.HsuBest;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The profiles that are indistinguishable from the best at a load, in one metric: Hsu's comparisons
 * with the best on logarithms, 95 % at this load alone.
 *
 * @param places of every profile compared, in the experiment's order
 * @param basis of the comparison; within complete blocks if it is blocked
 * @param repetitions of each profile that were used, by the basis; the smallest number if they
 *     differ
 * @param incompleteBlocks blocks omitted because a profile has no valid trial in them; not listed
 *     for sessions
 * @param known whether there were enough trials to compare any two; if not, all are in the set
 */
public record BestSet(
    @JsonUnwrapped Load load,
    Metric metric,
    List<Place> places,
    Basis basis,
    int repetitions,
    List<Integer> incompleteBlocks,
    boolean known) {
  private static final double CONFIDENCE = 0.95;

  public BestSet {
    places = List.copyOf(places);
    incompleteBlocks = List.copyOf(incompleteBlocks);
  }

  /** A profile, and whether it is in the set. */
  public record Place(String profile, boolean inBestSet) {}

  /** Returns the names of the best set's profiles. */
  public List<String> profiles() {
    return places.stream().filter(Place::inBestSet).map(Place::profile).toList();
  }

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
    List<Place> places = new ArrayList<>();
    for (int i = 0; i < settings.size(); i++) {
      places.add(new Place(layout.profiles().get(i), best.contenders().get(i).inBestSet()));
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
