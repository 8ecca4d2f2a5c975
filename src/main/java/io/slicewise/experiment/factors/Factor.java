package io.slicewise.experiment.factors;

import java.util.List;

/**
 * A parameter with several values.
 *
 * @param name in tables and sentences: the parameter, with its target where two factors share one
 * @param levels as written in the file; effects compare the others with the first
 */
public record Factor(String name, List<String> levels) {
  public Factor {
    levels = List.copyOf(levels);
  }

  /** Returns the part of a profile's name that a level is: {@code web-weight-512}. */
  String word(int level) {
    return "%s-%s".formatted(name, levels.get(level)).replaceAll("[^A-Za-z0-9_-]+", ".");
  }
}
