package io.slicewise.tune;

import java.util.List;
import java.util.stream.IntStream;

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

  /**
   * Creates a weight on a log scale, rounded to whole numbers.
   *
   * @param perDoubling steps per doubling
   */
  public static SearchKnob weight(String name, int low, int high, int perDoubling) {
    if (low < 1 || high <= low || perDoubling < 1) {
      throw new IllegalArgumentException("%s: %d..%d is not a range".formatted(name, low, high));
    }
    int steps = (int) Math.ceil(perDoubling * Math.log(high / (double) low) / Math.log(2));
    return new SearchKnob(
        name,
        IntStream.rangeClosed(0, steps)
            .mapToObj(
                i -> (double) Math.round(low * Math.pow(high / (double) low, i / (double) steps)))
            .distinct()
            .toList());
  }

  /** Returns the step at a position from 0 (inclusive) to 1 (exclusive). */
  double at(double position) {
    return steps.get((int) (position * steps.size()));
  }
}
