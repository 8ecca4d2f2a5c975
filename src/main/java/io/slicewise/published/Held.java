package io.slicewise.published;

import io.slicewise.validity.Violation;
import java.util.Optional;

/**
 * That a rule was asked about a number, and what came of it.
 *
 * @param broken empty when the number may stand as it is
 */
record Held(Printed number, Rule rule, Optional<Violation> broken) {
  static Held sound(Printed number, Rule rule) {
    return new Held(number, rule, Optional.empty());
  }

  static Held broken(Printed number, Rule rule, String message, String cause) {
    return new Held(number, rule, Optional.of(rule.broken(number.place(), message, cause)));
  }

  static Held doubted(Printed number, Rule rule, String message, String cause) {
    return new Held(number, rule, Optional.of(rule.doubted(number.place(), message, cause)));
  }
}
