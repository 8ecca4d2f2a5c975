package io.slicewise.experiment.file;

import io.slicewise.base.yaml.Options;
import io.slicewise.base.yaml.YamlMap;
import io.slicewise.experiment.Generators;
import io.slicewise.experiment.goal.Aim;
import io.slicewise.experiment.load.Axis;
import io.slicewise.experiment.load.Level;
import io.slicewise.experiment.load.Load;
import io.slicewise.workload.tiles.Tile;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Checks the tiles of a workload: each has its own name and guests, one kind of load, and a goal.
 */
record TilesCheck(YamlMap top, List<Tile> tiles) {
  private static final double WHOLE = 100;

  void check(List<String> main, Generators generators) {
    Map<String, String> taken = new HashMap<>();
    Set<String> names = new HashSet<>();
    for (Tile tile : tiles) {
      if (!names.add(tile.name())) {
        top.fault("workload", "two tiles are called " + tile.name());
      }
      if (tile.users().isPresent() == tile.rate().isPresent()) {
        top.fault(
            "workload",
            "tile %s needs %s: concurrent users, or arrivals per second"
                .formatted(
                    tile.name(),
                    tile.users().isPresent()
                        ? "'users' or 'rate', not both"
                        : "'users' or 'rate'"));
      }
      for (String guest : tile.guests()) {
        String other = taken.put(guest, tile.name());
        if (other != null) {
          top.fault(
              "workload",
              "tiles %s and %s are both on guest %s: each tile needs guests of its own"
                  .formatted(other, tile.name(), guest));
        }
        if (!main.contains(guest)) {
          top.fault(
              "workload",
              "tile %s is on guest %s, which is not among the main domains: %s"
                  .formatted(tile.name(), guest, String.join(", ", main)));
        }
      }
    }
    if (tiles.size() > main.size()) {
      top.fault(
          "workload",
          "%d tiles need as many guests, but the main domains are %d: %s"
              .formatted(tiles.size(), main.size(), String.join(", ", main)));
    }
    if (!generators.isHere()) {
      top.fault(
          "generators",
          "generators cannot be set with tiles, each of which has a generator on this machine");
    }
  }

  /** Checks the goals of tiles. */
  void refuseBadGoals() {
    for (Tile tile : tiles) {
      try {
        Aim.Goal.of(tile).ifPresent(goal -> refuseUnlimited(tile.name(), goal));
      } catch (IllegalArgumentException rule) {
        top.fault(
            "workload",
            "goal '%s' of %s %s"
                .formatted(tile.goal().orElseThrow(), tile.name(), rule.getMessage()));
      }
    }
  }

  private void refuseUnlimited(String tile, Aim.Goal goal) {
    if (goal.limit().isEmpty()) {
      top.fault(
          "workload", "goal '%s' of %s has no limit, such as 'p95 < 200ms'".formatted(goal, tile));
    }
  }

  /** Returns the loads of tiles, which have users or rates of their own. */
  List<Load> loads(List<Axis> written, Options options) {
    written.stream()
        .filter(axis -> axis != Axis.SCALE)
        .forEach(
            axis ->
                top.fault(
                    axis.key(),
                    "%s has no meaning: each tile has its own; 'scale: [50, 100]' sweeps percent of it"
                        .formatted(axis.key())));
    List<Double> levels =
        options.has(Axis.SCALE.key()) ? options.amounts(Axis.SCALE.key()) : List.of(WHOLE);
    return levels.stream().map(size -> new Load(Map.of(Axis.SCALE, Level.of(size)))).toList();
  }

  /** Numbers of guests are numbers of tiles. */
  void refuseSeveralGuests(String key) {
    tiles.stream()
        .filter(tile -> tile.guests().size() > 1)
        .forEach(
            tile ->
                top.fault(
                    key,
                    "%s counts tiles of one guest each, but tile %s has %d: %s"
                        .formatted(
                            key,
                            tile.name(),
                            tile.guests().size(),
                            String.join(", ", tile.guests()))));
  }
}
