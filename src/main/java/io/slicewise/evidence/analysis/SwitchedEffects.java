package io.slicewise.evidence.analysis;

import io.slicewise.experiment.load.Load;
import io.slicewise.stats.SessionEffect;
import io.slicewise.stats.table.NeighbourBlocks;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Effects in switchback sessions: log ratios to the baseline within blocks, sessions as replicates
 * ({@link SessionEffect}), with joined blocks if neighbours are alike ({@link NeighbourBlocks}).
 *
 * <p>If windows have too few samples for a percentile, the merged histogram of a profile's windows
 * in a session provides it, and the session is the unit. Profiles that need another boot share no
 * session with the baseline: their sessions are compared with its sessions.
 */
public final class SwitchedEffects implements EffectMethod {
  private final String baseline;
  private final List<CellTrials> cells;
  private final Map<Load, Map<Metric, NeighbourBlocks>> neighbours = new HashMap<>();

  public SwitchedEffects(String baseline, List<CellTrials> cells) {
    this.baseline = baseline;
    this.cells = List.copyOf(cells);
  }

  @Override
  public List<CellTrials> cells() {
    return cells;
  }

  /** Returns whether neighbouring blocks of the load's sessions are alike. */
  NeighbourBlocks neighbours(Load load, Metric metric) {
    return neighbours
        .computeIfAbsent(load, any -> new HashMap<>())
        .computeIfAbsent(metric, any -> test(load, metric));
  }

  private NeighbourBlocks test(Load load, Metric metric) {
    CellTrials before = cell(baseline, load);
    Map<Integer, List<double[]>> sessions = new TreeMap<>();
    List<CellTrials> others =
        cells.stream()
            .filter(cell -> cell.load().equals(load) && !cell.profile().equals(baseline))
            .toList();
    Map<Integer, Double> base = before.windows(metric);
    base.forEach(
        (block, value) -> {
          double[] ratios =
              others.stream()
                  .mapToDouble(cell -> cell.windows(metric).getOrDefault(block, Double.NaN))
                  .map(x -> Math.log(x / value))
                  .toArray();
          sessions.computeIfAbsent(CellTrials.session(block), any -> new ArrayList<>()).add(ratios);
        });
    return NeighbourBlocks.of(
        sessions.values().stream().map(rows -> rows.toArray(double[][]::new)).toList());
  }

  @Override
  public Optional<Contrast> contrast(CellTrials cell, CellTrials before, Metric metric) {
    NavigableSet<Integer> blocks = common(List.of(cell, before), metric);
    double[] now = windows(cell, blocks, metric);
    double[] then = windows(before, blocks, metric);
    if (TrialEffects.areComparable(now, then, metric)) {
      int size = neighbours(cell.load(), metric).size();
      double[] ratios = new double[now.length];
      Arrays.setAll(ratios, b -> Math.log(now[b] / then[b]));
      SessionEffect effect =
          SessionEffect.of(
              bySession(blocks, ratios).stream()
                  .map(session -> NeighbourBlocks.joined(session, size))
                  .toList());
      return Optional.of(contrast(now, then, effect, size));
    }
    return bySessions(cell, before, metric)
        .or(() -> TrialEffects.across(cell, before, metric, Basis.SEPARATE_SESSIONS));
  }

  private static Contrast contrast(
      double[] now, double[] then, SessionEffect effect, int blocksEach) {
    boolean blocks = effect.basis() == SessionEffect.Basis.BLOCKS;
    return new Contrast(
        now,
        then,
        effect.effect(),
        blocks ? Basis.SESSION_BLOCKS : Basis.SESSIONS,
        blocks ? blocksEach : 1);
  }

  /** Returns the log ratios of a cell's windows to the baseline's, by session and block. */
  public List<double[]> ratios(CellTrials cell, Metric metric) {
    CellTrials before = cell(baseline, cell.load());
    NavigableSet<Integer> blocks = common(List.of(cell, before), metric);
    double[] now = windows(cell, blocks, metric);
    double[] then = windows(before, blocks, metric);
    double[] ratios = new double[now.length];
    Arrays.setAll(ratios, b -> Math.log(now[b] / then[b]));
    return bySession(blocks, ratios);
  }

  /** Compares each session's own value, such as that of merged histograms. */
  private static Optional<Contrast> bySessions(CellTrials cell, CellTrials before, Metric metric) {
    return TrialEffects.inBlocks(cell, before, metric)
        .map(one -> new Contrast(one.now(), one.before(), one.effect(), Basis.SESSIONS, 1));
  }

  /** Splits values of blocks by the session of each. */
  private static List<double[]> bySession(NavigableSet<Integer> blocks, double[] values) {
    Map<Integer, List<Double>> sessions = new TreeMap<>();
    int place = 0;
    for (int block : blocks) {
      sessions
          .computeIfAbsent(CellTrials.session(block), any -> new ArrayList<>())
          .add(values[place++]);
    }
    return sessions.values().stream()
        .map(list -> list.stream().mapToDouble(Double::doubleValue).toArray())
        .toList();
  }

  private static NavigableSet<Integer> common(List<CellTrials> some, Metric metric) {
    NavigableSet<Integer> common = new TreeSet<>(some.get(0).windows(metric).keySet());
    some.forEach(cell -> common.retainAll(cell.windows(metric).keySet()));
    return common;
  }

  private static double[] windows(CellTrials cell, NavigableSet<Integer> blocks, Metric metric) {
    Map<Integer, Double> windows = cell.windows(metric);
    return blocks.stream().mapToDouble(windows::get).toArray();
  }

  @Override
  public Optional<Layout> layout(List<CellTrials> some, Metric metric) {
    NavigableSet<Integer> complete = common(some, metric);
    if (complete.isEmpty()) {
      return TrialEffects.completeBlocks(some, metric, Basis.SESSIONS)
          .or(
              () ->
                  Optional.of(
                      new Layout(
                          Basis.SEPARATE_SESSIONS,
                          some.stream().map(cell -> cell.values(metric)).toList(),
                          List.of())));
    }
    long sessions = complete.stream().map(CellTrials::session).distinct().count();
    boolean replicated = sessions >= SessionEffect.REPLICATES;
    int size = replicated ? Integer.MAX_VALUE : neighbours(some.get(0).load(), metric).size();
    List<double[]> values =
        some.stream()
            .map(
                cell ->
                    bySession(complete, logs(windows(cell, complete, metric))).stream()
                        .flatMapToDouble(s -> Arrays.stream(NeighbourBlocks.joined(s, size)))
                        .map(Math::exp)
                        .toArray())
            .toList();
    return Optional.of(
        new Layout(replicated ? Basis.SESSIONS : Basis.SESSION_BLOCKS, values, List.of()));
  }

  private static double[] logs(double[] values) {
    return Arrays.stream(values).map(Math::log).toArray();
  }
}
