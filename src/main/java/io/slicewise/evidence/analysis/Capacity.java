package io.slicewise.evidence.analysis;

import io.slicewise.experiment.Experiment;
import io.slicewise.experiment.Load;
import io.slicewise.run.TrialResult;
import io.slicewise.stats.Crossing;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.OptionalInt;
import java.util.TreeSet;
import java.util.stream.IntStream;

/**
 * The number of users at which a profile misses a goal such as {@code p95 < 200 ms}, for a number
 * of neighbours: {@link Crossing} over the measured loads, with each block as a replication of the
 * curve.
 *
 * @param neighbours interfering neighbours; empty if they are not swept
 * @param users at which the goal is first missed
 * @param loads the measured loads, ascending
 */
public record Capacity(
    String profile, OptionalInt neighbours, Goal goal, Crossing users, List<Integer> loads) {
  public Capacity {
    loads = List.copyOf(loads);
  }

  /** Returns the capacity of a profile for each number of neighbours. */
  public static List<Capacity> of(
      Experiment experiment, List<TrialResult> results, Goal goal, String profile) {
    return experiment.loads().stream()
        .map(Load::neighbours)
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
      Experiment experiment,
      List<TrialResult> results,
      Goal goal,
      String profile,
      OptionalInt neighbours) {
    List<CellTrials> cells =
        CellTrials.of(experiment, results).stream()
            .filter(cell -> cell.profile().equals(profile))
            .filter(cell -> cell.load().neighbours().equals(neighbours))
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
    List<Integer> loads = cells.stream().map(cell -> cell.load().users()).toList();
    double[] places = loads.stream().mapToDouble(Integer::doubleValue).toArray();
    return new Capacity(
        profile, neighbours, goal, Crossing.of(goal.limit(), places, curves), loads);
  }
}
