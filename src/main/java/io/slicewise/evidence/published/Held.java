package io.slicewise.evidence.published;

import io.slicewise.run.validity.Violation;
import java.util.Optional;

/**
 * What came of asking a rule about a number.
 *
 * @param broken empty when the number may stand as it is
 * @param skipped why the rule could not be asked; empty when it was
 */
record Held(Printed number, TableRule rule, Optional<Violation> broken, String skipped) {
  static Held sound(Printed number, TableRule rule) {
    return new Held(number, rule, Optional.empty(), "");
  }

  static Held broken(Printed number, TableRule rule, String message, String cause) {
    return new Held(number, rule, Optional.of(rule.broken(number.place(), message, cause)), "");
  }

  static Held doubted(Printed number, TableRule rule, String message, String cause) {
    return new Held(number, rule, Optional.of(rule.doubted(number.place(), message, cause)), "");
  }

  static Held skipped(Printed number, TableRule rule, String why) {
    return new Held(number, rule, Optional.empty(), why);
  }
}
