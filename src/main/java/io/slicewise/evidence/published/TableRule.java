package io.slicewise.evidence.published;

import io.slicewise.run.validity.Violation;
import java.util.Arrays;
import java.util.Comparator;

/** What printed tables are held against. */
public enum TableRule {
  SHARES("shares", "block + run + wait of a domain add to 100 %"),
  LITTLES_LAW("littles-law", "users = rate x response time, in a closed load"),
  ONE_OF_A_KIND("column", "rate x response time agrees with the other profiles at this load"),
  SAME_LOAD("same-load", "another number of users is another load"),
  RUN_MISSING("run-missing", "every cell has as many runs"),
  INTERVAL_N("interval-n", "an interval is over runs, not over requests"),
  INTERVAL_Z("interval-z", "an interval over few runs is Student's, not made with 1.96"),
  IDLE("idle", "a domain that serves the load is not idle"),
  MOVED("moved", "two shares of a domain do not stand off by the same amount, one up, one down"),
  JUMP("jump", "a share does not jump in one cell alone (median polish, Tukey's fences)"),
  NORMALISATION("normalisation", "a guest does not wait while pCPUs are idle"),
  FORMULA("formula", "a number made of others is what its formula gives of them"),
  PARTS("parts", "the parts of a time or of a share add up to the whole"),
  EXCHANGED("exchanged", "the parts printed for one system belong to its total"),
  PRINTED_TWICE("printed-twice", "what is printed twice is printed alike"),
  DURATION("duration", "count / rate is the time that was measured"),
  PASSES("passes", "what a guest gets has passed whatever serves it"),
  CALL_TIME("call-time", "calls take time: a system call 50 ns at least"),
  ALIKE("alike", "the same work makes the same counts on both systems"),
  RANGE("range", "a number lies where such a number can lie"),
  REQUESTED("requested", "slices / periods of a profile add up to what it is said to request");

  /** In the order of the rules; of a rule, as found. */
  static final Comparator<Violation> ORDER =
      Comparator.comparing(violation -> of(violation.rule()));

  private final String key;
  private final String statement;

  TableRule(String key, String statement) {
    this.key = key;
    this.statement = statement;
  }

  private static TableRule of(String key) {
    return Arrays.stream(values()).filter(rule -> rule.key.equals(key)).findFirst().orElseThrow();
  }

  /** The name in files and on screens. */
  public String key() {
    return key;
  }

  /** The rule as a sentence. */
  public String statement() {
    return statement;
  }

  /** That a number cannot be as printed. */
  Violation broken(String place, String message, String likelyCause) {
    return new Violation(key, statement, place, message, likelyCause, true, "");
  }

  /** That a number is in doubt. */
  Violation doubted(String place, String message, String likelyCause) {
    return new Violation(key, statement, place, message, likelyCause, false, "");
  }
}
