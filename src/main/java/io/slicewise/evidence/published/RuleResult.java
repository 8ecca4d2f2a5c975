package io.slicewise.evidence.published;

import io.slicewise.run.validity.Violation;
import java.util.Optional;

/**
 * The result of checking a rule for a number.
 *
 * @param broken empty if the number satisfies the rule
 * @param skipped why the rule could not be checked; empty if it was
 */
record RuleResult(Printed number, TableRule rule, Optional<Violation> broken, String skipped) {
  static RuleResult sound(Printed number, TableRule rule) {
    return new RuleResult(number, rule, Optional.empty(), "");
  }

  static RuleResult broken(Printed number, TableRule rule, String message, String cause) {
    return new RuleResult(
        number, rule, Optional.of(rule.broken(number.place(), message, cause)), "");
  }

  static RuleResult doubted(Printed number, TableRule rule, String message, String cause) {
    return new RuleResult(
        number, rule, Optional.of(rule.doubted(number.place(), message, cause)), "");
  }

  static RuleResult skipped(Printed number, TableRule rule, String why) {
    return new RuleResult(number, rule, Optional.empty(), why);
  }
}
