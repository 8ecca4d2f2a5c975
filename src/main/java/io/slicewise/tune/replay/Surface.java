package io.slicewise.tune.replay;

import java.util.List;

/**
 * The profiles of one load, taken as the truth.
 *
 * @param means positive, in the metric's unit
 * @param deviations of one trial, between trials; {@code NaN} where the table has none
 */
public record Surface(int users, List<String> profiles, double[] means, double[] deviations) {
  public Surface {
    profiles = List.copyOf(profiles);
    means = means.clone();
    deviations = deviations.clone();
  }

  @Override
  public double[] means() {
    return means.clone();
  }

  @Override
  public double[] deviations() {
    return deviations.clone();
  }

  /** How many profiles there are. */
  public int size() {
    return means.length;
  }

  /** The same profiles with one coefficient of variation for all. */
  public Surface scattered(double variation) {
    double[] all = means.clone();
    for (int i = 0; i < all.length; i++) {
      all[i] *= variation;
    }
    return new Surface(users, profiles, means, all);
  }

  /** The coefficient of variation over all profiles, as the root of the mean square. */
  double variation() {
    double sum = 0;
    for (int i = 0; i < means.length; i++) {
      sum += deviations[i] * deviations[i] / (means[i] * means[i]);
    }
    return Math.sqrt(sum / means.length);
  }
}
