package io.slicewise.tune;

import java.util.List;

/**
 * The result of a race.
 *
 * @param choice the candidate to confirm; for a set, the one with the best estimate
 * @param set the candidates that cannot be excluded as within δ of the best, best estimate first
 * @param probability lower bound of the probability that the choice is within δ of the best
 */
public record Answer(Kind kind, int choice, List<Integer> set, double probability) {
  public Answer {
    set = List.copyOf(set);
  }

  /** The kinds of answers. */
  public enum Kind {
    /** The choice is within δ of the best, and better than the settings found. */
    PROFILE,
    /** Several candidates may be the best, all of them better than the settings found. */
    SET,
    /** No candidate is shown to be better than the settings found by more than δ. */
    KEEP
  }
}
