package io.slicewise.tune.replay;

import java.util.SplittableRandom;

/** Draws results of trials around the means of a table. */
final class Draws {
  private final double[] means;
  private final double[] scatters;
  private final double[] centres;
  private final boolean normal;
  private SplittableRandom random = new SplittableRandom(0);

  Draws(Surface surface, Noise noise) {
    means = surface.means();
    scatters = new double[means.length];
    centres = new double[means.length];
    normal = noise == Noise.NORMAL;
    for (int i = 0; i < means.length; i++) {
      double variation = surface.profiles().get(i).variation();
      scatters[i] = normal ? variation : Math.sqrt(Math.log1p(variation * variation));
      centres[i] = -scatters[i] * scatters[i] / 2;
    }
  }

  void seed(long seed) {
    random = new SplittableRandom(seed);
  }

  /** Returns the result of one trial of a profile, positive. */
  double next(int profile) {
    double z = random.nextGaussian();
    if (!normal) {
      return means[profile] * Math.exp(centres[profile] + scatters[profile] * z);
    }
    while (1 + scatters[profile] * z <= 0) {
      z = random.nextGaussian();
    }
    return means[profile] * (1 + scatters[profile] * z);
  }

  /** Returns a whole number from 0 to a bound (exclusive). */
  int below(int bound) {
    return random.nextInt(bound);
  }
}
