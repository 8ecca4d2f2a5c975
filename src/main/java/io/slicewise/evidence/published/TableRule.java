package io.slicewise.evidence.published;

import io.slicewise.base.units.EnumName;
import io.slicewise.run.validity.Violation;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Optional;

/** The rules for published tables. */
public enum TableRule {
  SHARES("block + run + wait of a domain add to 100 %"),
  LITTLES_LAW("users = rate x response time, in a closed load"),
  COLUMN("rate x response time agrees with the other profiles at this load"),
  SAME_LOAD("different numbers of users are different loads"),
  RUN_MISSING("all cells have the same number of runs"),
  INTERVAL_N("intervals are computed over runs, not requests"),
  INTERVAL_Z("intervals over few runs use Student's t, not 1.96"),
  IDLE("a domain that serves the load is not idle"),
  MOVED("two shares of a domain do not deviate by the same amount in opposite directions"),
  JUMP("a share does not jump in a single cell (median polish, Tukey's fences)"),
  NORMALISATION("a guest does not wait while pCPUs are idle"),
  FORMULA("a derived number matches its formula"),
  PARTS("the parts of a time or of a share add up to the whole"),
  EXCHANGED("the parts printed for one system belong to its total"),
  PRINTED_TWICE("a number printed twice is the same"),
  DURATION("count / rate is the time that was measured"),
  PASSES("a guest's I/O passes through the layer that serves it"),
  CALL_TIME("calls take time: at least 50 ns per system call"),
  ALIKE("the same work causes the same counts on both systems"),
  RANGE("a number is within its possible range"),
  REQUESTED("slices / periods of a profile add up to the share it claims to request");

  /** By rule, then in the order found. */
  static final Comparator<Violation> ORDER =
      Comparator.comparing(violation -> of(violation.rule()));

  private final String statement;

  TableRule(String statement) {
    this.statement = statement;
  }

  private static TableRule of(String key) {
    return Arrays.stream(values()).filter(rule -> rule.key().equals(key)).findFirst().orElseThrow();
  }

  /** The name in files and on screens. */
  public String key() {
    return EnumName.of(this);
  }

  /** The rule as a sentence. */
  public String statement() {
    return statement;
  }

  /** A violation of a rule by a printed number. */
  Violation broken(String place, String message, String likelyCause) {
    return new Violation(key(), statement, place, message, likelyCause, true, "");
  }

  /** A doubt about a number. */
  Violation doubted(String place, String message, String likelyCause) {
    return new Violation(key(), statement, place, message, likelyCause, false, "");
  }

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
}
