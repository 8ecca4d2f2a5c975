package io.slicewise.evidence.findings;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.slicewise.evidence.analysis.Basis;
import io.slicewise.evidence.analysis.Metric;
import io.slicewise.experiment.load.Load;
import java.util.List;

/**
 * The profiles that are indistinguishable from the best at a load, in one metric (Hsu, 95 % at this
 * load alone).
 *
 * @param places of every profile compared, in the experiment's order
 * @param basis of the comparison; within complete blocks if it is blocked
 * @param repetitions of each profile that were used, by the basis; the smallest number if they
 *     differ
 * @param incompleteBlocks blocks omitted because a profile has no valid trial in them; not listed
 *     for sessions
 * @param known whether there were enough trials to compare any two; if not, all are in the set
 */
public record BestSet(
    @JsonUnwrapped Load load,
    Metric metric,
    List<Place> places,
    Basis basis,
    int repetitions,
    List<Integer> incompleteBlocks,
    boolean known) {
  public BestSet {
    places = List.copyOf(places);
    incompleteBlocks = List.copyOf(incompleteBlocks);
  }

  /** A profile, and whether it is in the set. */
  public record Place(String profile, boolean inBestSet) {}

  /** Returns the names of the best set's profiles. */
  public List<String> profiles() {
    return places.stream().filter(Place::inBestSet).map(Place::profile).toList();
  }
}
