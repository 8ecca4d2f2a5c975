package io.slicewise.run.validity;

import java.util.Objects;

/**
 * One thing that cannot be as it stands, in a run or in a study's table.
 *
 * @param rule its key
 * @param statement the rule as a sentence
 * @param place where: file and line, or a trial, or a cell
 * @param message what was found against what is allowed
 * @param likelyCause what usually lies behind it; empty when nobody knows
 * @param serious whether numbers are wrong or missing; otherwise they are in doubt, or count
 *     nowhere
 * @param instead the attempt that counts in the place of the one this is about; empty if none does
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
