package io.slicewise.tune.course;

import io.slicewise.experiment.load.Load;

/**
 * Whether settings meet the limit of a goal at one load.
 *
 * @param name of the candidate
 * @param level geometric mean of its windows or trials, with its interval
 * @param highest whether the metric must stay below the limit instead of above it
 */
public record LimitCheck(
    String name, Load load, double level, double low, double high, double limit, boolean highest) {
  /** The outcome of a check. */
  public enum Outcome {
    MET,
    NOT_MET,
    UNDECIDED
  }

  /** Returns the side of the limit on which the whole interval is. */
  public Outcome outcome() {
    if (high < limit || low > limit) {
      return (high < limit) == highest ? Outcome.MET : Outcome.NOT_MET;
    }
    return Outcome.UNDECIDED;
  }
}
