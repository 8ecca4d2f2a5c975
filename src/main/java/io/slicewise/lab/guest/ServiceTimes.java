package io.slicewise.lab.guest;

import java.time.Duration;
import java.util.function.LongSupplier;
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

  /**
   * What one start of the load has drawn, as the runs of a real host do: a factor on all service
   * times, log-normal with a mean of 1. A request that comes after a pause begins a new start.
   */
  public static final class StartScatter {
    private static final long PAUSE = Duration.ofSeconds(1).toNanos();

    private final double sigma;
    private final RandomGenerator random;
    private final LongSupplier clock;
    private long last;
    private double factor;

    /**
     * Creates the scatter of a lab.
     *
     * @param variation coefficient of variation of the factor; 0: it is always 1
     * @param clock nanoseconds
     */
    public StartScatter(double variation, RandomGenerator random, LongSupplier clock) {
      this.sigma = Math.sqrt(Math.log1p(variation * variation));
      this.random = random;
      this.clock = clock;
    }

    /** The factor of the present start. Each call is a request. */
    synchronized double factor() {
      long now = clock.getAsLong();
      if (factor == 0 || now - last >= PAUSE) {
        factor = Math.exp(sigma * random.nextGaussian() - sigma * sigma / 2);
      }
      last = now;
      return factor;
    }
  }
}
