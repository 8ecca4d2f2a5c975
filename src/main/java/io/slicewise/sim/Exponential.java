package io.slicewise.sim;

import java.util.SplittableRandom;

/**
 * Exponential variates from a table of 2^14 quantiles: several times as fast as logarithms, with a
 * mean that is exact and a tail that ends at 10 times the mean.
 */
final class Exponential {
  private static final int SIZE = 1 << 14;
  private static final double[] QUANTILES = quantiles();

  private final SplittableRandom random;

  Exponential(long seed) {
    random = new SplittableRandom(seed);
  }

  private static double[] quantiles() {
    double[] quantiles = new double[SIZE];
    double sum = 0;
    for (int i = 0; i < SIZE; i++) {
      quantiles[i] = -Math.log((i + 0.5) / SIZE);
      sum += quantiles[i];
    }
    for (int i = 0; i < SIZE; i++) {
      quantiles[i] *= SIZE / sum;
    }
    return quantiles;
  }

  long next(double mean) {
    return (long) (QUANTILES[random.nextInt() >>> 18] * mean + 0.5);
  }
}
