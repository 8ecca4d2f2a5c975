package io.slicewise.evidence.findings;

import io.slicewise.evidence.analysis.CellTrials;
import io.slicewise.evidence.analysis.Comparison;
import io.slicewise.evidence.analysis.Comparison.Kind;
import io.slicewise.evidence.analysis.EffectMethod;
import io.slicewise.evidence.analysis.Metric;
import io.slicewise.evidence.analysis.Pairing;
import io.slicewise.evidence.analysis.Question;
import io.slicewise.experiment.Experiment;
import io.slicewise.experiment.load.Axis;
import io.slicewise.experiment.load.Load;
import io.slicewise.run.result.TrialResult;
import io.slicewise.stats.Band;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * The cost of interfering neighbours for each profile: compared with the same profile and users at
 * the sweep's lowest number of neighbours. The comparison is within blocks if the order has blocks,
 * otherwise across trials. These comparisons belong to no Holm family, since they compare loads and
 * not profiles.
 */
public final class NeighbourEffects {
  private NeighbourEffects() {}

  /** Returns the effects by load and profile; empty if neighbours are not swept. */
  public static List<Comparison> of(
      Experiment experiment, List<TrialResult> results, Metric metric) {
    EffectMethod method = EffectMethod.of(experiment, results);
    List<Pairing> pairs = new ArrayList<>();
    for (CellTrials cell : method.cells()) {
      fewest(experiment, cell.load())
          .filter(quiet -> !quiet.equals(cell.load()))
          .map(quiet -> method.cell(cell.profile(), quiet))
          .flatMap(quiet -> Pairing.of(method, cell, quiet, metric, Kind.EXPLORATORY))
          .ifPresent(pairs::add);
    }
    return Pairing.judged(pairs, 0, new Question(metric, Band.DEFAULT));
  }

  /** Returns the load that differs in its neighbours alone, and has the fewest. */
  private static Optional<Load> fewest(Experiment experiment, Load load) {
    return experiment.loads().stream()
        .filter(other -> other.level(Axis.NEIGHBOURS).isPresent())
        .filter(other -> other.without(Axis.NEIGHBOURS).equals(load.without(Axis.NEIGHBOURS)))
        .min(Comparator.naturalOrder());
  }
}
