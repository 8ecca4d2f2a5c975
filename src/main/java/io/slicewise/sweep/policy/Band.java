package io.slicewise.sweep.policy;

import java.util.Optional;

/**
 * A range of the load and the profile that is in force in it.
 *
 * @param from included
 * @param to excluded; infinite in the last band
 * @param measuredFrom the lowest load at which the profile was measured in this band
 * @param gain why it is chosen, as a sentence; empty where nothing better is shown
 */
public record Band(
    double from,
    double to,
    double measuredFrom,
    double measuredTo,
    String profile,
    Optional<String> gain) {
  /** Returns whether a load is in the band. */
  public boolean contains(double load) {
    return load >= from && load < to;
  }
}
