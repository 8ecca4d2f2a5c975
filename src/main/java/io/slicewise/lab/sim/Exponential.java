package io.slicewise.lab.sim;

import java.util.SplittableRandom;

/**
 * Exponential variates from a table of 2^11 quantiles in fixed point: several times as fast as
 * logarithms; the mean is accurate to 1 in 10,000 and the tail ends at 8 times the mean.
 */
public final class Exponential {
  private static final int BITS = 11;
  private static final int FRACTION_BITS = 16;
  private static final int[] QUANTILES = quantiles();

  private final SplittableRandom random;

  public Exponential(long seed) {
    random = new SplittableRandom(seed);
  }

  private static int[] quantiles() {
    int size = 1 << BITS;
    double[] quantiles = new double[size];
    double sum = 0;
    for (int i = 0; i < size; i++) {
      quantiles[i] = -Math.log((i + 0.5) / size);
      sum += quantiles[i];
    }
    int[] fixed = new int[size];
    for (int i = 0; i < size; i++) {
      fixed[i] = (int) Math.round(quantiles[i] * (size / sum) * (1 << FRACTION_BITS));
    }
    return fixed;
  }

  /** A variate around this mean, which may be up to 10^13. */
  public long next(long mean) {
    return (QUANTILES[random.nextInt() >>> (Integer.SIZE - BITS)] * mean) >> FRACTION_BITS;
  }
}
