package io.slicewise.tune.course;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The candidates that may be as good as the choice of a race, best estimate first: still in it, not
 * probably breaking a guard, and not refused by a confirmation of their own. The settings found are
 * never listed.
 *
 * @param asGood measured often enough to leave the race
 * @param hardlyMeasured measured too seldom to compare them with the choice
 */
public record Rivals(List<String> asGood, List<String> hardlyMeasured) {
  public Rivals {
    asGood = List.copyOf(asGood);
    hardlyMeasured = List.copyOf(hardlyMeasured);
  }

  /** Returns the rivals of that choice. */
  public static Rivals of(RaceCourse race, String choice) {
    Map<String, Confirmation> confirmations = race.confirmations().all();
    List<Integer> others =
        race.answer().set().stream()
            .filter(one -> one > 0 && !race.names().get(one).equals(choice))
            .filter(one -> race.guards().doubtfulFor(one).isEmpty())
            .filter(
                one ->
                    Optional.ofNullable(confirmations.get(race.names().get(one)))
                        .map(Confirmation::confirmed)
                        .orElse(true))
            .toList();
    return new Rivals(named(race, others, true), named(race, others, false));
  }

  private static List<String> named(RaceCourse race, List<Integer> candidates, boolean enough) {
    int least = race.rules().firstBlocks();
    return candidates.stream()
        .filter(one -> race.race().evidence().observations(one) >= least == enough)
        .map(race.names()::get)
        .toList();
  }
}
