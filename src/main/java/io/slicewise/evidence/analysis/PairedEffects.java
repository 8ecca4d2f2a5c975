package io.slicewise.evidence.analysis;

import io.slicewise.run.result.PairedStudy;
import io.slicewise.stats.CoinBets;
import java.util.Arrays;
import java.util.List;
import java.util.NavigableMap;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.TreeSet;

/**
 * Effects in pairs of windows whose order a coin decided ({@link CoinBets}). Candidates share no
 * pair, so there is no comparison of all.
 */
record PairedEffects(List<CellTrials> cells, int family) implements EffectMethod {
  PairedEffects {
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
