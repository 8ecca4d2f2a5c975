package io.slicewise.evidence.analysis;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.slicewise.experiment.Load;
import java.util.List;

/**
 * The profiles that are indistinguishable from the best at a load, in one metric (Hsu, 95 %).
 *
 * @param places of every profile compared, in the experiment's order
 * @param basis of the comparison; within complete blocks if it is blocked
 * @param repetitions of each profile that were used, by the basis; the smallest number if they
 *     differ
 * @param incompleteBlocks blocks omitted because a profile has no valid trial in them; not listed
 *     for sessions
 * @param scatterCv scatter of one trial within its cell and block, as a share; {@code NaN} unknown
 */
public record BestSet(
    @JsonUnwrapped Load load,
    Metric metric,
    List<Place> places,
    Basis basis,
    int repetitions,
    List<Integer> incompleteBlocks,
    double scatterCv,
    int degreesOfFreedom) {
  public BestSet {
    places = List.copyOf(places);
    incompleteBlocks = List.copyOf(incompleteBlocks);
  }

  /**
   * The rank of a profile.
   *
   * @param typical geometric mean of its trials, in the metric's unit
   * @param lowPercent lower end of how much larger the metric is than that of the best of the
   *     others; {@code NaN} when there is no interval
   * @param highPercent upper end
   */
  public record Place(
      String profile, double typical, double lowPercent, double highPercent, boolean inBestSet) {}

  /** Returns the names of the best set's profiles. */
  public List<String> profiles() {
    return places.stream().filter(Place::inBestSet).map(Place::profile).toList();
  }
}
