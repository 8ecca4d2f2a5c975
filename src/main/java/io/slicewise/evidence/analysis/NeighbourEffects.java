package io.slicewise.evidence.analysis;

import io.slicewise.evidence.analysis.Comparison.Kind;
import io.slicewise.experiment.Experiment;
import io.slicewise.experiment.Experiment.Order;
import io.slicewise.experiment.Load;
import io.slicewise.run.TrialResult;
import io.slicewise.stats.Band;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * The cost of interfering neighbours for each profile: compared with the same profile and users at
 * the sweep's lowest number of neighbours. Within blocks if the order has blocks, otherwise across
 * trials. These comparisons belong to no Holm family, since they compare loads and not profiles.
 */
public final class NeighbourEffects {
  private NeighbourEffects() {}

  /** Returns the effects by load and profile; empty if neighbours are not swept. */
  public static List<Comparison> of(
      Experiment experiment, List<TrialResult> results, Metric metric) {
    List<CellTrials> cells = CellTrials.of(experiment, results);
    boolean blocked = experiment.order() == Order.BLOCKS;
    List<Pairing> pairs = new ArrayList<>();
    for (CellTrials cell : cells) {
      fewest(experiment, cell.load())
          .filter(quiet -> !quiet.equals(cell.load()))
          .map(quiet -> cell(cells, cell.profile(), quiet))
          .map(quiet -> Pairing.of(cell, quiet, metric, Kind.EXPLORATORY, blocked))
          .filter(Pairing::comparable)
          .ifPresent(pairs::add);
    }
    return Pairing.judged(pairs, 0, new Question(metric, Band.DEFAULT));
  }

  /** Returns the load with the same users and the fewest neighbours. */
  private static Optional<Load> fewest(Experiment experiment, Load load) {
    return experiment.loads().stream()
        .filter(other -> other.neighbours().isPresent() && other.users() == load.users())
        .min(Comparator.naturalOrder());
  }

  private static CellTrials cell(List<CellTrials> cells, String profile, Load load) {
    return cells.stream()
        .filter(cell -> cell.profile().equals(profile) && cell.load().equals(load))
        .findFirst()
        .orElseThrow();
  }
}
