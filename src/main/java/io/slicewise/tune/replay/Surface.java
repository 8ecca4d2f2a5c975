package io.slicewise.tune.replay;

import java.util.List;

/** The profiles of one load, taken as the truth. */
public record Surface(int users, List<Profile> profiles) {
  public Surface {
    profiles = List.copyOf(profiles);
  }

  /**
   * One profile.
   *
   * @param mean positive, in the metric's unit
   * @param deviation of one trial, between trials; {@code NaN} where the table has none
   */
  public record Profile(String name, double mean, double deviation) {
    double variation() {
      return deviation / mean;
    }
  }

  /** How many profiles there are. */
  public int size() {
    return profiles.size();
  }

  /** The same profiles with one coefficient of variation for all. */
  public Surface scattered(double variation) {
    return new Surface(
        users,
        profiles.stream()
            .map(one -> new Profile(one.name(), one.mean(), variation * one.mean()))
            .toList());
  }

  /** The means in the order of the profiles. */
  double[] means() {
    return profiles.stream().mapToDouble(Profile::mean).toArray();
  }

  /** The coefficient of variation over all profiles, as the root of the mean square. */
  double variation() {
    return Math.sqrt(
        profiles.stream()
            .mapToDouble(one -> one.variation() * one.variation())
            .average()
            .orElseThrow());
  }
}
