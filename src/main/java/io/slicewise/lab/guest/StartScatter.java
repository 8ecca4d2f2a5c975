package io.slicewise.lab.guest;

import java.time.Duration;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;

/**
 * What one start of the load has drawn, as the runs of a real host do: a factor on all service
 * times, log-normal with a mean of 1. A request that comes after a pause begins a new start.
 */
public final class StartScatter {
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
