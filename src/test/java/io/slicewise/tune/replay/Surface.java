package io.slicewise.tune.replay;

import java.util.List;

/** The profiles of one load with their true means. */
public record Surface(int users, List<Profile> profiles) {
  public Surface {
    profiles = List.copyOf(profiles);
  }

  /**
   * One profile.
   *
   * @param mean positive, in the metric's unit
   * @param deviation of one trial, between trials; {@code NaN} if the table has none
   */
  public record Profile(String name, double mean, double deviation) {
    double variation() {
      return deviation / mean;
    }
  }

  /** Returns the number of profiles. */
  public int size() {
    return profiles.size();
  }

  /** Returns the same profiles with one coefficient of variation for all. */
  public Surface scattered(double variation) {
    return new Surface(
        users,
        profiles.stream()
            .map(one -> new Profile(one.name(), one.mean(), variation * one.mean()))
            .toList());
  }

  /** Returns the means in the order of the profiles. */
  double[] means() {
    return profiles.stream().mapToDouble(Profile::mean).toArray();
  }

  /** Returns the coefficient of variation over all profiles, as a root mean square. */
  double variation() {
    return Math.sqrt(
        profiles.stream()
            .mapToDouble(one -> one.variation() * one.variation())
            .average()
            .orElseThrow());
  }
}
