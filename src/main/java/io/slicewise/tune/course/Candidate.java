package io.slicewise.tune.course;

import io.slicewise.profile.SchedulerProfile;
import java.util.List;

/**
 * Settings that a tune may choose.
 *
 * @param origin the source of the candidate
 * @param point its point in the search space, one value per knob; empty for a listed profile
 * @param simulated the goal's metric as simulated, by load in the experiment's order; empty if not
 *     simulated
 */
public record Candidate(
    SchedulerProfile profile, Origin origin, List<Double> point, List<Double> simulated) {
  public Candidate {
    point = List.copyOf(point);
    simulated = List.copyOf(simulated);
  }

  /** The source of a candidate. */
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
