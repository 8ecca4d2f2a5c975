package io.slicewise.lab.guest;

import java.util.random.RandomGenerator;

/** Draws exponential service times, whose mean each start of the load changes. */
public record ServiceTimes(RandomGenerator random, StartScatter starts) {
  /** The limit of a draw in means: no page of the study took seconds of CPU. */
  private static final double LONGEST_IN_MEANS = 8;

  /** A whole number from 0 to below a bound. */
  public synchronized int below(int bound) {
    return random.nextInt(bound);
  }

  /** Nanoseconds, at least 1; 0 for a mean of 0. */
  public synchronized long draw(long meanNanos) {
    if (meanNanos <= 0) {
      return 0;
    }
    double drawn = Math.min(-Math.log(1 - random.nextDouble()), LONGEST_IN_MEANS);
    return Math.max(1, Math.round(meanNanos * drawn * starts.factor()));
  }
}
