package io.slicewise.tune.capacity;

import io.slicewise.stats.capacity.EdgeSearch;
import io.slicewise.stats.capacity.EdgeSearch.Verdict;
import io.slicewise.stats.capacity.Forecast;
import java.util.List;
import java.util.Optional;

/**
 * A profile's guests: what was measured at each number of them, and what the models predict.
 *
 * @param levels that have a finished trial, ascending
 * @param search with the verdicts so far
 * @param first what was predicted from the smallest number alone; empty before it was measured
 * @param forecast from all that was measured; empty if the CPU time of a request is not known
 */
public record ProfileCurve(
    String profile,
    List<GuestLevel> levels,
    EdgeSearch search,
    Optional<Forecast> first,
    Optional<Forecast> forecast) {
  public ProfileCurve {
    levels = List.copyOf(levels);
  }

  /** Returns the level with that number of guests, if it was measured. */
  public Optional<GuestLevel> level(int guests) {
    return levels.stream().filter(level -> level.guests() == guests).findFirst();
  }

  /** Returns the number of guests that the models predicted from the smallest number alone. */
  public Optional<Integer> predicted() {
    return first.map(model -> model.edge(search.levels()).orElseThrow());
  }

  /** Returns the verdict on a number of guests; not decided as long as its trials are not over. */
  public Verdict verdict(int guests) {
    return search.verdicts().getOrDefault(guests, Verdict.UNDECIDED);
  }
}
