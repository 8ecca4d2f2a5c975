package io.slicewise.tune.course;

import io.slicewise.profile.SchedulerProfile;
import io.slicewise.tune.SearchSpace.SearchKnob;
import java.util.List;
import java.util.Optional;

/**
 * The candidates of a tune, chosen before any of them is measured.
 *
 * @param knobs of the search space; empty if only profiles are listed
 * @param candidates the settings found first, then the profiles listed, then points of the space
 * @param leftOut invalid points with their reasons, each kind once
 * @param entrants names of the candidates that start the race, the settings found first, by group
 *     of loads that share an answer
 * @param premises the assumptions of the simulation, or why there was none
 * @param simulated whether candidates were simulated
 */
public record CandidatePool(
    List<SearchKnob> knobs,
    List<Candidate> candidates,
    List<String> leftOut,
    List<List<String>> entrants,
    String premises,
    boolean simulated) {
  /** The name of its file in the run directory. */
  public static final String FILE = "tune.json";

  public CandidatePool {
    knobs = List.copyOf(knobs);
    candidates = List.copyOf(candidates);
    leftOut = List.copyOf(leftOut);
    entrants = entrants.stream().map(List::copyOf).toList();
  }

  /** Returns the candidate of that name. */
  public Optional<Candidate> named(String name) {
    return candidates.stream().filter(one -> one.name().equals(name)).findFirst();
  }

  /**
   * Settings that a tune may choose.
   *
   * @param origin the source of the candidate
   * @param point its point in the search space, one value per knob; empty for a listed profile
   * @param simulated the goal's metric as simulated, by load in the experiment's order; empty if
   *     not simulated
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
}
