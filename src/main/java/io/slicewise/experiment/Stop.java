package io.slicewise.experiment;

import java.time.Duration;
import java.util.Locale;
import java.util.Objects;

/**
 * When a sweep has measured enough: blocks are added behind the experiment's repetitions, which are
 * the first stage, until every cell is known to a precision, and never beyond two bounds.
 *
 * @param precision half the width of a cell's interval, as a share of it: 0.03 = ±3 %
 * @param trials of a cell at most, the first stage included
 * @param time since the run began after which no further block begins
 */
public record Stop(double precision, Rule rule, int trials, Duration time) {
  public Stop {
    if (!(precision > 0 && precision < 1)) {
      throw new IllegalArgumentException("a precision must be between 0 and 1, not " + precision);
    }
    Objects.requireNonNull(rule);
    Objects.requireNonNull(time);
  }

  /** How precision is judged; both cover what they say although the number is not fixed. */
  public enum Rule {
    /** Stein: the first stage's scatter decides how many trials a cell needs in all. */
    TWO_STAGE,
    /** A confidence sequence: intervals that hold at every look, wider ones. */
    ALWAYS_VALID;

    /** As written in files. */
    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
  }
}
