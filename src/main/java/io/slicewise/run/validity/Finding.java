package io.slicewise.run.validity;

import java.util.Objects;

/**
 * A rule that a trial breaks.
 *
 * @param excludes whether the trial must not count; otherwise it is a warning
 * @param message the measured and the allowed value, e.g. {@code errors 3.1 % > 0.5 %}
 * @param likelyCause the usual cause, to help find the problem
 */
public record Finding(Rule rule, boolean excludes, String message, String likelyCause) {
  public Finding {
    Objects.requireNonNull(rule);
    Objects.requireNonNull(message);
    Objects.requireNonNull(likelyCause);
  }

  /** Returns the same finding about a part of the load. */
  Finding of(String part) {
    return new Finding(rule, excludes, part + ": " + message, likelyCause);
  }

  public static Finding excluding(Rule rule, String message, String likelyCause) {
    return new Finding(rule, true, message, likelyCause);
  }

  static Finding warning(Rule rule, String message, String likelyCause) {
    return new Finding(rule, false, message, likelyCause);
  }
}
