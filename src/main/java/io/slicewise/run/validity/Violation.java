package io.slicewise.run.validity;

import java.util.Objects;

/**
 * An impossible or doubtful result in a run or in a study's table.
 *
 * @param rule its key
 * @param statement the rule as a sentence
 * @param place file and line, a trial, or a cell
 * @param message the found and the allowed value
 * @param likelyCause the usual cause; empty if unknown
 * @param serious whether numbers are wrong or missing; otherwise they are doubtful or not used
 * @param instead the attempt that counts instead of this one; empty if none does
 */
public record Violation(
    String rule,
    String statement,
    String place,
    String message,
    String likelyCause,
    boolean serious,
    String instead) {
  public Violation {
    Objects.requireNonNull(rule);
    Objects.requireNonNull(statement);
    Objects.requireNonNull(place);
    Objects.requireNonNull(message);
    Objects.requireNonNull(likelyCause);
    Objects.requireNonNull(instead);
  }
}
