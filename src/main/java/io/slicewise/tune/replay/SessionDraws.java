package io.slicewise.tune.replay;

import java.util.SplittableRandom;

/**
 * Draws windows of switchback sessions around the means of a table.
 *
 * <p>A trial of 30 minutes has the coefficient of variation c (25 % in the 2010 study). 95 % of its
 * variance is drawn once per start; a given share of that is specific to the profile, the rest is
 * common to all. A session adds first-order autoregressive noise of 0.8·c per 10 s (20 % where c is
 * 25 %) with a correlation time of 60 s. A window is 5 s of wash-out and 30 s of measurement; the
 * start of a session takes two minutes. All effects are logarithmic.
 */
final class SessionDraws {
  /** The time of a start in windows. */
  static final double WINDOWS_PER_START = 120 / 35.0;

  /** The length of a window in trials of 30 minutes. */
  static final double RUNS_PER_WINDOW = 35 / 1_800.0;

  private static final double DRAWN_PER_START = 0.95;
  private static final double NOISE_RATIO = 0.8;
  private static final double STEP = Math.exp(-10 / 60.0);
  private static final double STEP_AFTER_WASH_OUT = Math.exp(-15 / 60.0);
  private static final double FRESH = Math.sqrt(1 - STEP * STEP);
  private static final double FRESH_AFTER_WASH_OUT =
      Math.sqrt(1 - STEP_AFTER_WASH_OUT * STEP_AFTER_WASH_OUT);

  private final double[] means;
  private final double[] levels;
  private final double particular;
  private final double common;
  private final double noise;
  private SplittableRandom random = new SplittableRandom(0);
  private double state;

  /**
   * Creates the windows of one load.
   *
   * @param particularShare share of the variance between starts that is specific to the profile
   */
  SessionDraws(Surface surface, double particularShare) {
    means = surface.means();
    levels = new double[means.length];
    double variation = surface.variation();
    double start = variation * Math.sqrt(DRAWN_PER_START);
    particular = start * Math.sqrt(particularShare);
    common = start * Math.sqrt(1 - particularShare);
    noise = NOISE_RATIO * variation;
  }

  void seed(long seed) {
    random = new SplittableRandom(seed);
  }

  /** Starts a session and draws its start effects. */
  void start() {
    double all = common * random.nextGaussian();
    for (int i = 0; i < levels.length; i++) {
      levels[i] = means[i] * Math.exp(all + particular * random.nextGaussian());
    }
    state = random.nextGaussian();
  }

  /** Returns the mean of the next window, under a profile. */
  double next(int profile) {
    state = STEP_AFTER_WASH_OUT * state + FRESH_AFTER_WASH_OUT * random.nextGaussian();
    double sum = Math.exp(noise * state);
    for (int step = 1; step < 3; step++) {
      state = STEP * state + FRESH * random.nextGaussian();
      sum += Math.exp(noise * state);
    }
    return levels[profile] * sum / 3;
  }

  /** Puts the first {@code size} entries into random order. */
  void shuffle(int[] order, int size) {
    for (int i = size - 1; i > 0; i--) {
      int j = random.nextInt(i + 1);
      int kept = order[i];
      order[i] = order[j];
      order[j] = kept;
    }
  }
}
