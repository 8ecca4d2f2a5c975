package io.slicewise.tune.course;

import io.slicewise.experiment.Tuning;

/**
 * The rest of a budget.
 *
 * @param seconds infinite if time is not limited
 * @param trials infinite if their number is not limited
 */
record Allowance(double seconds, double trials) {
  /** Returns a share of the budget of that many nights, less what was spent. */
  static Allowance of(
      Tuning.Budget budget, double nights, double spentSeconds, double spentTrials) {
    return new Allowance(
        budget.time().isPresent()
            ? nights * budget.time().get().toNanos() / 1e9 - spentSeconds
            : Double.POSITIVE_INFINITY,
        budget.most().isPresent()
            ? nights * budget.most().getAsInt() - spentTrials
            : Double.POSITIVE_INFINITY);
  }

  /** Returns whether that many trials, which take that long, fit. */
  boolean covers(double number, double theirSeconds) {
    return number <= trials && theirSeconds <= seconds;
  }
}
