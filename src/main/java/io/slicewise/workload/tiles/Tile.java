package io.slicewise.workload.tiles;

import io.slicewise.workload.Workload;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;

/**
 * One of several loads of a trial, with results and a goal of its own.
 *
 * @param name of its results
 * @param guests that serve it
 * @param users at once; empty for those of the experiment, or for a rate
 * @param rate of arrivals per second; empty for users
 * @param goal with its limit, as the file has it; empty for that of the experiment
 * @param properties of its plan
 */
public record Tile(
    String name,
    List<String> guests,
    OptionalInt users,
    OptionalDouble rate,
    Optional<String> goal,
    Map<String, String> properties) {
  public Tile {
    guests = List.copyOf(guests);
    properties = Map.copyOf(properties);
  }

  /** A guest that has as many users as each of the others. */
  public Tile(String guest, Optional<String> goal) {
    this(guest, List.of(guest), OptionalInt.empty(), OptionalDouble.empty(), goal, Map.of());
  }

  /** Returns the same tile with a multiple of its users or rate, at least one user. */
  public Tile scaled(double factor) {
    return new Tile(
        name,
        guests,
        users.isPresent()
            ? OptionalInt.of((int) Math.max(1, Math.round(factor * users.getAsInt())))
            : users,
        rate.isPresent() ? OptionalDouble.of(factor * rate.getAsDouble()) : rate,
        goal,
        properties);
  }

  /** A tile and what loads it, with a plan of its own. */
  public record Loaded(Tile tile, Workload workload) {}
}
