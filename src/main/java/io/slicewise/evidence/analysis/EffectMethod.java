package io.slicewise.evidence.analysis;

import io.slicewise.experiment.Experiment;
import io.slicewise.experiment.Order;
import io.slicewise.run.result.PairedStudy;
import io.slicewise.run.result.TrialResult;
import io.slicewise.stats.CoinBets;
import java.util.Arrays;
import java.util.List;
import java.util.NavigableMap;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.TreeSet;

/**
 * Converts the values of cells to effects and observations. Only its implementations know which
 * values of a design are replicates.
 */
public interface EffectMethod {
  /** Returns the method of the experiment's design. */
  static EffectMethod of(Experiment experiment, List<TrialResult> results) {
    List<CellTrials> cells = CellTrials.of(experiment, results);
    if (experiment.pairs().isPresent()) {
      return new PairedEffects(cells, Comparisons.familySize(experiment));
    }
    return experiment.design().isPresent()
        ? new SwitchedEffects(experiment.baseline(), cells)
        : new TrialEffects(cells, experiment.order().equals(Order.BLOCKS));
  }

  /** Returns every cell by load and profile. */
  List<CellTrials> cells();

  default CellTrials cell(String profile, io.slicewise.experiment.load.Load load) {
    return cells().stream()
        .filter(cell -> cell.profile().equals(profile) && cell.load().equals(load))
        .findFirst()
        .orElseThrow();
  }

  /**
   * Compares a cell with its reference at the same load; empty if values have no ratio, such as
   * errors.
   */
  Optional<Contrast> contrast(CellTrials cell, CellTrials before, Metric metric);

  /** Arranges cells of one load for a comparison of all; empty if they share nothing. */
  Optional<Layout> layout(List<CellTrials> cells, Metric metric);

  /**
   * Observations of several cells.
   *
   * @param values by cell; in blocks, values with the same index belong together
   * @param incomplete blocks omitted because a cell has no valid trial in them
   */
  record Layout(Basis basis, List<double[]> values, List<Integer> incomplete) {}

  /** Returns whether all values are positive, as a ratio requires. */
  static boolean havePositive(double[] values) {
    return values.length > 0 && Arrays.stream(values).allMatch(x -> x > 0);
  }

  /**
   * Effects in pairs of windows whose order a coin decided ({@link CoinBets}). Candidates share no
   * pair, so there is no comparison of all.
   */
  record PairedEffects(List<CellTrials> cells, int family) implements EffectMethod {
    public PairedEffects {
      cells = List.copyOf(cells);
    }

    @Override
    public Optional<Contrast> contrast(CellTrials cell, CellTrials before, Metric metric) {
      NavigableMap<Integer, Double> candidate = cell.windows(metric);
      NavigableMap<Integer, Double> incumbent = before.windows(metric);
      NavigableSet<Integer> pairs = new TreeSet<>(candidate.keySet());
      pairs.retainAll(incumbent.keySet());
      double[] now = pairs.stream().mapToDouble(candidate::get).toArray();
      double[] then = pairs.stream().mapToDouble(incumbent::get).toArray();
      if (!TrialEffects.areComparable(now, then, metric)) {
        return Optional.empty();
      }
      double[] changes = new double[now.length];
      Arrays.setAll(changes, b -> Math.log(now[b] / then[b]));
      return Optional.of(
          new Contrast(now, then, CoinBets.of(PairedStudy.LEVEL / Math.max(1, family), changes)));
    }

    @Override
    public Optional<Layout> layout(List<CellTrials> some, Metric metric) {
      return Optional.empty();
    }
  }
}
