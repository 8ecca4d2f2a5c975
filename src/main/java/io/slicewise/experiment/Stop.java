package io.slicewise.experiment;

import io.slicewise.base.units.EnumName;
import java.time.Duration;
import java.util.Objects;

/**
 * The rule that ends a sweep: after the experiment's repetitions, which are the first stage, blocks
 * are added until every cell has the requested precision or a bound is reached.
 *
 * @param precision half the width of a cell's interval, as a share of it: 0.03 = ±3 %
 * @param trials the most trials of a cell, including the first stage
 * @param time time since the start of the run after which no further block starts
 */
public record Stop(double precision, Rule rule, int trials, Duration time) {
  public Stop {
    if (!(precision > 0 && precision < 1)) {
      throw new IllegalArgumentException("a precision must be between 0 and 1, not " + precision);
    }
    Objects.requireNonNull(rule);
    Objects.requireNonNull(time);
  }

  /**
   * How precision is determined; both rules keep their coverage although the number of trials is
   * not fixed.
   */
  public enum Rule {
    /** Stein: the variance of the first stage determines the total number of trials of a cell. */
    TWO_STAGE,
    /** A confidence sequence: wider intervals that are valid at every look. */
    ALWAYS_VALID;

    /** As written in files. */
    @Override
    public String toString() {
      return EnumName.of(this);
    }
  }
}
