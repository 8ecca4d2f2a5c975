package io.slicewise.evidence.analysis;

import io.slicewise.evidence.analysis.PercentileCurve.MergedTimes;
import io.slicewise.experiment.Experiment;
import io.slicewise.experiment.WindowPlace;
import io.slicewise.experiment.goal.Aim;
import io.slicewise.experiment.load.Load;
import io.slicewise.run.result.TrialResult;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * The trials of one cell, in the order of their numbers.
 *
 * @param valid those that count
 * @param goals of the tiles, by name
 */
public record CellTrials(
    String profile, Load load, List<TrialResult> valid, Map<String, Optional<Aim.Goal>> goals) {
  private static final int MOST_BLOCKS = 1 << 16;

  public CellTrials {
    valid = List.copyOf(valid);
  }

  /** Returns every cell of the experiment by load and profile, including those without trials. */
  public static List<CellTrials> of(Experiment experiment, List<TrialResult> results) {
    List<TrialResult> valid =
        results.stream()
            .filter(TrialResult::valid)
            .sorted(Comparator.comparingInt(result -> result.trial().number()))
            .toList();
    List<CellTrials> cells = new ArrayList<>();
    for (Load load : experiment.loads()) {
      for (String profile : Summaries.profileNames(experiment)) {
        cells.add(
            new CellTrials(
                profile,
                load,
                valid.stream()
                    .filter(result -> result.trial().load().equals(load))
                    .filter(result -> result.trial().profile().equals(profile))
                    .toList(),
                experiment.goals(load)));
      }
    }
    return cells;
  }

  /** Returns the same trials with the results of one tile as their load. */
  public CellTrials tile(String name) {
    List<TrialResult> its = valid.stream().map(trial -> trial.ofLabel(name)).toList();
    return new CellTrials(profile, load, its, Map.of());
  }

  /** Returns whether every trial, or every session, has the metric. */
  public boolean knows(Metric metric) {
    return blocks(metric).size() == replicates().size();
  }

  /** Returns the metric's known values by trial, or by window, in the order of {@code valid}. */
  public double[] observed(Metric metric) {
    return known(valid, metric);
  }

  private static double[] known(List<TrialResult> trials, Metric metric) {
    return trials.stream()
        .map(trial -> value(trial, metric))
        .filter(OptionalDouble::isPresent)
        .mapToDouble(OptionalDouble::getAsDouble)
        .toArray();
  }

  /** Returns one known value for each replicate: a trial, or a session. */
  public double[] values(Metric metric) {
    return valid.stream().anyMatch(trial -> trial.trial().place().isPresent())
        ? inBlocks(blocks(metric), metric)
        : observed(metric);
  }

  /** Returns the positive values of windows by a number for the block of their session. */
  NavigableMap<Integer, Double> windows(Metric metric) {
    NavigableMap<Integer, Double> windows = new TreeMap<>();
    for (TrialResult trial : valid) {
      double value = value(trial, metric).orElse(Double.NaN);
      if (value > 0) {
        trial.trial().place().ifPresent(place -> windows.put(number(place), value));
      }
    }
    return windows;
  }

  /** Returns the number of a session's block, the same for all cells of a load. */
  public static int number(WindowPlace place) {
    return place.session() * MOST_BLOCKS + place.block();
  }

  /** Returns the session of a block by its number. */
  static int session(int number) {
    return number / MOST_BLOCKS;
  }

  /** Returns the seconds of the shortest window; infinite without a trial. */
  double shortestWindow() {
    return valid.stream()
        .mapToDouble(trial -> trial.window().seconds())
        .min()
        .orElse(Double.POSITIVE_INFINITY);
  }

  /** Returns the blocks (for windows, the sessions) with a known value, ascending. */
  public NavigableSet<Integer> blocks(Metric metric) {
    return byReplicate().entrySet().stream()
        .filter(trials -> Double.isFinite(value(trials.getValue(), metric)))
        .map(Map.Entry::getKey)
        .collect(Collectors.toCollection(TreeSet::new));
  }

  /** Returns the metric in these of {@link #blocks}. */
  public double[] inBlocks(NavigableSet<Integer> blocks, Metric metric) {
    Map<Integer, List<TrialResult>> trials = byReplicate();
    return blocks.stream().mapToDouble(block -> value(trials.get(block), metric)).toArray();
  }

  /** Returns the trials of each replicate: one trial, or the windows of a session. */
  public List<List<TrialResult>> replicates() {
    return List.copyOf(byReplicate().values());
  }

  private Map<Integer, List<TrialResult>> byReplicate() {
    return valid.stream()
        .collect(
            Collectors.groupingBy(
                trial ->
                    trial.trial().place().map(WindowPlace::session).orElse(trial.trial().block()),
                TreeMap::new,
                Collectors.toList()));
  }

  /**
   * Returns the metric in one block or session: the mean of its windows if all have it; otherwise,
   * for a percentile, that of their merged histogram, also of each tile; {@code NaN} if unknown.
   */
  private double value(List<TrialResult> trials, Metric metric) {
    double[] known = known(trials, metric);
    if (trials.stream().noneMatch(trial -> trial.trial().place().isPresent())) {
      return known.length == 0 ? Double.NaN : known[0];
    }
    if (known.length == trials.size()) {
      return Arrays.stream(known).average().orElse(Double.NaN);
    }
    return metric.isWorstTile() ? worstTile(trials) : MergedTimes.percentile(trials, metric);
  }

  private double worstTile(List<TrialResult> windows) {
    double worst = 0;
    for (Map.Entry<String, Optional<Aim.Goal>> tile : goals.entrySet()) {
      Aim.Goal goal = tile.getValue().orElseThrow();
      List<TrialResult> its = windows.stream().map(one -> one.ofLabel(tile.getKey())).toList();
      worst = Math.max(worst, goal.strain(value(its, Metric.of(goal))));
    }
    return worst;
  }

  /** Returns a trial's value of the metric; empty if it is unknown. */
  public static OptionalDouble value(TrialResult trial, Metric metric) {
    double value = metric.value(trial);
    return Double.isFinite(value) ? OptionalDouble.of(value) : OptionalDouble.empty();
  }
}
