package io.slicewise.tune.course;

import io.slicewise.experiment.Tuning;

/**
 * What is left of a budget.
 *
 * @param seconds infinite where time is not limited
 * @param trials infinite where their number is not limited
 */
record Allowance(double seconds, double trials) {
  /** What so many nights allow, times a share of it, less what was spent. */
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

  /** Whether so many trials fit. */
  boolean covers(double number, double secondsEach) {
    return number <= trials && number * secondsEach <= seconds;
  }
}
