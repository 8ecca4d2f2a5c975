package io.slicewise.evidence.analysis;

import io.slicewise.stats.BlockedEffect;
import io.slicewise.stats.WelchEffect;
import java.util.List;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.TreeSet;

/**
 * Effects with trials as replicates: within blocks if the order has them, otherwise across trials.
 */
public record TrialEffects(List<CellTrials> cells, boolean blocked) implements EffectMethod {
  @Override
  public Optional<Contrast> contrast(CellTrials cell, CellTrials before, Metric metric) {
    return blocked ? inBlocks(cell, before, metric) : across(cell, before, metric, Basis.TRIALS);
  }

  /** Compares in the units in which both cells have a value. */
  static Optional<Contrast> inBlocks(CellTrials cell, CellTrials before, Metric metric) {
    NavigableSet<Integer> both = new TreeSet<>(cell.blocks(metric));
    both.retainAll(before.blocks(metric));
    double[] now = cell.inBlocks(both, metric);
    double[] then = before.inBlocks(both, metric);
    return areComparable(now, then, metric)
        ? Optional.of(new Contrast(now, then, BlockedEffect.of(now, then), Basis.BLOCKS, 1))
        : Optional.empty();
  }

  /** Compares all values of one with all of the other. */
  public static Optional<Contrast> across(
      CellTrials cell, CellTrials before, Metric metric, Basis basis) {
    return across(cell.values(metric), before.values(metric), metric, basis);
  }

  public static Optional<Contrast> across(
      double[] now, double[] before, Metric metric, Basis basis) {
    return areComparable(now, before, metric)
        ? Optional.of(new Contrast(now, before, WelchEffect.of(now, before), basis, 1))
        : Optional.empty();
  }

  static boolean areComparable(double[] now, double[] before, Metric metric) {
    return !metric.equals(Metric.ERRORS)
        && EffectMethod.havePositive(now)
        && EffectMethod.havePositive(before);
  }

  @Override
  public Optional<Layout> layout(List<CellTrials> some, Metric metric) {
    return blocked
        ? completeBlocks(some, metric, Basis.BLOCKS)
        : Optional.of(
            new Layout(
                Basis.TRIALS, some.stream().map(cell -> cell.values(metric)).toList(), List.of()));
  }

  static Optional<Layout> completeBlocks(List<CellTrials> some, Metric metric, Basis basis) {
    NavigableSet<Integer> complete = new TreeSet<>(some.get(0).blocks(metric));
    NavigableSet<Integer> any = new TreeSet<>();
    for (CellTrials cell : some) {
      complete.retainAll(cell.blocks(metric));
      any.addAll(cell.blocks(metric));
    }
    any.removeAll(complete);
    return complete.isEmpty()
        ? Optional.empty()
        : Optional.of(
            new Layout(
                basis,
                some.stream().map(cell -> cell.inBlocks(complete, metric)).toList(),
                List.copyOf(any)));
  }
}
