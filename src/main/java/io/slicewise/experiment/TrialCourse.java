package io.slicewise.experiment;

import java.util.Optional;

/**
 * How many trials there are, and in which order.
 *
 * @param stop when more blocks than {@code repetitions} are run; empty = never
 * @param design switchback sessions; empty = trials. Its windows are the repetitions, and one
 *     window is what {@code measure} measures
 * @param seed of the random order
 */
public record TrialCourse(
    int repetitions,
    Optional<Stop> stop,
    Optional<SwitchbackDesign> design,
    Experiment.Order order,
    long seed) {
  /** Returns the same course in another order. */
  TrialCourse inOrder(Experiment.Order other) {
    return new TrialCourse(repetitions, stop, design, other, seed);
  }

  /** Returns the same course with another seed. */
  TrialCourse seeded(long other) {
    return new TrialCourse(repetitions, stop, design, order, other);
  }
}
