package io.slicewise.tune.course;

import io.slicewise.tune.SearchKnob;
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
}
