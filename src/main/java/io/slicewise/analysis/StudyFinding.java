package io.slicewise.analysis;

/**
 * Something in a study's table that cannot be as printed.
 *
 * @param place where it stands: file and line, or a row of the table
 * @param message what is printed and what it would have to be
 * @param likelyCause what usually lies behind it
 */
public record StudyFinding(Rule rule, String place, String message, String likelyCause) {
  /** What a study's table is held against. */
  public enum Rule {
    SHARES("shares", "block + run + wait of a domain add to 100 %"),
    LITTLES_LAW("littles-law", "users = rate x response time, in a closed load"),
    ONE_OF_A_KIND("column", "rate x response time agrees with the other profiles at this load"),
    SAME_LOAD("same-load", "another number of users is another load"),
    RUN_MISSING("run-missing", "every cell has as many runs"),
    INTERVAL_N("interval-n", "an interval is over runs, not over requests"),
    IDLE("idle", "a guest that serves the load is not idle"),
    MOVED("moved", "two shares of a domain do not stand off by the same amount, one up, one down"),
    NORMALISATION("normalisation", "a guest does not wait while pCPUs are idle");

    private final String key;
    private final String statement;

    Rule(String key, String statement) {
      this.key = key;
      this.statement = statement;
    }

    /** The name in files and on screens. */
    public String key() {
      return key;
    }

    /** The rule as a sentence. */
    public String statement() {
      return statement;
    }
  }
}
