package io.slicewise.evidence.findings;

import io.slicewise.evidence.analysis.CellTrials;
import io.slicewise.evidence.analysis.Goal;
import io.slicewise.experiment.Experiment;
import io.slicewise.experiment.load.Load;
import io.slicewise.run.result.TrialResult;
import io.slicewise.stats.Crossing;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.TreeSet;
import java.util.stream.IntStream;

/**
 * The size of load at which a profile misses a goal such as {@code p95 < 200 ms}, all else of the
 * load being the same: {@link Crossing} over the measured loads, with each block as a replication
 * of the curve.
 *
 * @param beside what is the same in all loads of the curve, such as a number of neighbours
 * @param size at which the goal is first missed
 * @param loads the measured loads, ascending
 */
public record Capacity(String profile, Load beside, Goal goal, Crossing size, List<Load> loads) {
  public Capacity {
    loads = List.copyOf(loads);
  }

  /** Returns the capacity of a profile for each curve. */
  public static List<Capacity> of(
      Experiment experiment, List<TrialResult> results, Goal goal, String profile) {
    return experiment.loads().stream()
        .map(Load::beside)
        .distinct()
        .map(beside -> of(experiment, results, goal, profile, beside))
        .toList();
  }

  /**
   * Returns the capacity, from the blocks in which the profile has a valid trial at every load,
   * none of them at 0 ms.
   *
   * @param goal that a metric stays below a bound
   */
  private static Capacity of(
      Experiment experiment, List<TrialResult> results, Goal goal, String profile, Load beside) {
    List<CellTrials> cells =
        CellTrials.of(experiment, results).stream()
            .filter(cell -> cell.profile().equals(profile))
            .filter(cell -> cell.load().beside().equals(beside))
            .sorted(Comparator.comparing(CellTrials::load))
            .toList();
    TreeSet<Integer> blocks = new TreeSet<>(cells.get(0).blocks(goal.metric()));
    cells.forEach(cell -> blocks.retainAll(cell.blocks(goal.metric())));
    List<double[]> values =
        cells.stream().map(cell -> cell.inBlocks(blocks, goal.metric())).toList();
    double[][] curves =
        IntStream.range(0, blocks.size())
            .mapToObj(block -> values.stream().mapToDouble(at -> at[block]).toArray())
            // 0 ms is below the clock's resolution and has no logarithm.
            .filter(curve -> Arrays.stream(curve).allMatch(millis -> millis > 0))
            .toArray(double[][]::new);
    List<Load> loads = cells.stream().map(CellTrials::load).toList();
    double[] places = loads.stream().mapToDouble(Load::size).toArray();
    return new Capacity(profile, beside, goal, Crossing.of(goal.limit(), places, curves), loads);
  }
}
