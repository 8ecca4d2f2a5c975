package io.slicewise.experiment;

import io.slicewise.experiment.load.Load;
import io.slicewise.workload.tiles.Tile;
import java.time.Duration;
import java.util.OptionalInt;

/**
 * The durations of a trial's parts, and how many users an open load may have in them.
 *
 * @param ramp the time in which the users start; part of the warm-up
 * @param measure the measured window
 * @param mostUsers at once, whatever the rate; empty for a number that follows from the rate
 */
public record TrialParts(
    Duration ramp, Duration warmUp, Duration measure, Duration coolDown, OptionalInt mostUsers) {
  private static final int FEWEST_USERS = 50;
  private static final int SECONDS_OF_ARRIVALS = 2;

  /** Creates the parts of a trial whose users follow from its load. */
  public TrialParts(Duration ramp, Duration warmUp, Duration measure, Duration coolDown) {
    this(ramp, warmUp, measure, coolDown, OptionalInt.empty());
  }

  /** Returns the users that generate a load: its own, or the most that an open one may have. */
  int users(Load load) {
    return load.isOpen() ? mostUsers.orElseGet(() -> usersFor(load.size())) : load.users();
  }

  /** Returns the same of a tile. */
  int users(Tile tile) {
    return tile.rate().isPresent()
        ? mostUsers.orElseGet(() -> usersFor(tile.rate().getAsDouble()))
        : tile.users().orElse(0);
  }

  private static int usersFor(double rate) {
    return (int)
        Math.min(Load.MOST_USERS, Math.max(FEWEST_USERS, Math.ceil(SECONDS_OF_ARRIVALS * rate)));
  }
}
