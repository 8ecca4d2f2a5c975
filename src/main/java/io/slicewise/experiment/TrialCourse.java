package io.slicewise.experiment;

import java.util.Optional;

/**
 * The number and order of trials.
 *
 * @param stop the rule for blocks beyond {@code repetitions}; empty = none
 * @param design switchback sessions, whose windows are the repetitions and last {@code measure};
 *     empty = trials
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
