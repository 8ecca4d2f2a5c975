package io.slicewise.study.edge;

import io.slicewise.experiment.goal.Aim;
import io.slicewise.stats.Estimate;
import io.slicewise.stats.LogInterval;
import io.slicewise.stats.StudentInterval;
import io.slicewise.stats.capacity.EdgeSearch.Verdict;
import java.util.Arrays;

/**
 * One tile, a guest with its own users, at a number of guests.
 *
 * @param tile its name
 * @param goal with its limit
 * @param estimate of the goal's metric over trials, with its 95 % interval
 * @param verdict whether the whole interval is inside the limit, or beyond it
 */
public record TileResult(String tile, Aim.Goal goal, Estimate estimate, Verdict verdict) {
  private static final double CONFIDENCE = 0.95;

  static TileResult of(String tile, Aim.Goal goal, double[] values) {
    double[] known = Arrays.stream(values).filter(Double::isFinite).toArray();
    boolean positive = Arrays.stream(known).allMatch(value -> value > 0);
    Estimate estimate =
        positive && goal.lowest()
            ? LogInterval.of(CONFIDENCE, known)
            : StudentInterval.of(CONFIDENCE, known);
    boolean all = known.length == values.length && known.length > 1;
    return new TileResult(tile, goal, estimate, all ? verdict(goal, estimate) : Verdict.UNDECIDED);
  }

  private static Verdict verdict(Aim.Goal goal, Estimate estimate) {
    double limit = goal.limit().orElseThrow();
    if (goal.lowest() ? estimate.high() < limit : estimate.low() > limit) {
      return Verdict.FITS;
    }
    return (goal.lowest() ? estimate.low() >= limit : estimate.high() <= limit)
        ? Verdict.BREAKS
        : Verdict.UNDECIDED;
  }

  /** Returns how near to its limit it is: 1 at the limit, more beyond it. */
  public double strain() {
    return goal.strain(estimate.mean());
  }
}
