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
 * What interfering neighbours cost each profile: the profile beside them against itself beside the
 * fewest that the sweep has, at the same users. Within blocks where the order was made of blocks,
 * across trials otherwise. No family: the sweep's question is which profile is best at a load, and
 * these tell what a load does to a profile.
 */
public final class NeighbourEffects {
  private NeighbourEffects() {}

  /** By load, then profile; empty where neighbours are not swept, cells without values left out. */
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

  /** The load of as many users beside the fewest neighbours. */
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
