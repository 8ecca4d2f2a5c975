package io.slicewise.tune;

import java.util.List;

/**
 * One dimension of the search space.
 *
 * @param name of domain and parameter, such as "Apache_Server weight"
 * @param steps the values it can take, ascending; for a weight powers of a common ratio, since only
 *     ratios of weights matter
 */
public record SearchKnob(String name, List<Double> steps) {
  public SearchKnob {
    steps = List.copyOf(steps);
    if (steps.size() < 2 || !steps.equals(steps.stream().sorted().distinct().toList())) {
      throw new IllegalArgumentException(name + " needs two ascending steps or more: " + steps);
    }
  }

  /** Returns the step at a position from 0 (inclusive) to 1 (exclusive). */
  double at(double position) {
    return steps.get((int) (position * steps.size()));
  }
}
