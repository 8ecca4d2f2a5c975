package io.slicewise.tune.course;

import io.slicewise.profile.SchedulerProfile;
import java.util.List;

/**
 * Settings that a tune may choose.
 *
 * @param origin where it comes from
 * @param point its place in the search space, one value per knob; empty of a listed profile
 * @param simulated the goal's metric as simulated, by load in the experiment's order; empty where
 *     it was not simulated
 */
public record Candidate(
    SchedulerProfile profile, Origin origin, List<Double> point, List<Double> simulated) {
  public Candidate {
    point = List.copyOf(point);
    simulated = List.copyOf(simulated);
  }

  /** Where a candidate comes from. */
  public enum Origin {
    FOUND,
    LISTED,
    SEARCHED
  }

  public String name() {
    return profile.name();
  }

  Candidate simulatedAs(List<Double> values) {
    return new Candidate(profile, origin, point, values);
  }
}
