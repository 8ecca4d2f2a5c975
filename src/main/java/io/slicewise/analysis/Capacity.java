package io.slicewise.analysis;

import io.slicewise.experiment.Experiment;
import io.slicewise.stats.Crossing;
import io.slicewise.sweep.TrialResult;
import java.util.List;
import java.util.TreeSet;

/**
 * How many users a profile bears before a goal such as {@code p95 < 200 ms} is missed: {@link
 * Crossing} over the loads measured, each block a replication of the whole curve.
 *
 * @param users where the goal is missed first
 * @param loads the loads measured, ascending
 */
public record Capacity(String profile, Goal goal, Crossing users, List<Integer> loads) {
  public Capacity {
    loads = List.copyOf(loads);
  }

  /**
   * The capacity of a profile, from the blocks in which it has a valid trial at every load.
   *
   * @param goal that a metric stays below a bound
   */
  public static Capacity of(
      Experiment experiment, List<TrialResult> results, Goal goal, String profile) {
    List<CellTrials> cells =
        CellTrials.of(experiment, results).stream()
            .filter(cell -> cell.profile().equals(profile))
            .sorted((a, b) -> Integer.compare(a.users(), b.users()))
            .toList();
    TreeSet<Integer> blocks = new TreeSet<>(cells.get(0).blocks(goal.metric()));
    cells.forEach(cell -> blocks.retainAll(cell.blocks(goal.metric())));
    double[][] curves =
        blocks.stream()
            .map(
                block ->
                    cells.stream()
                        .mapToDouble(cell -> cell.inBlock(block, goal.metric()))
                        .toArray())
            .toArray(double[][]::new);
    List<Integer> loads = cells.stream().map(CellTrials::users).toList();
    double[] places = loads.stream().mapToDouble(Integer::doubleValue).toArray();
    return new Capacity(profile, goal, Crossing.of(goal.limit(), places, curves), loads);
  }
}
