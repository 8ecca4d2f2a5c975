package io.slicewise.evidence.analysis;

/** What an interval rests on: the values that count as independent, and what they share. */
public enum Basis {
  /** Trials of both sides without anything in common (Welch). */
  TRIALS("trials", "trial"),
  /** Blocks of trials in which both sides were measured. */
  BLOCKS("blocks", "block"),
  /** Sessions in which both sides were switched, the replicates of a switchback design. */
  SESSIONS("sessions", "session"),
  /** Blocks of one or two sessions: it holds for these sessions only. */
  SESSION_BLOCKS("blocks of a session", "block"),
  /** Sessions of either side, since no session holds both: they need different boots. */
  SEPARATE_SESSIONS("separate sessions", "session");

  private final String plural;
  private final String unit;

  Basis(String plural, String unit) {
    this.plural = plural;
    this.unit = unit;
  }

  /** Returns whether both sides were measured in the same blocks. */
  public boolean isBlocked() {
    return this == BLOCKS || this == SESSIONS || this == SESSION_BLOCKS;
  }

  /** Returns the name in sentences: what {@code n} counts. */
  public String words() {
    return plural;
  }

  /** Returns the name of that many: {@code 1 session}, {@code 5 blocks}. */
  public String counted(int number) {
    return number + " " + unit + (number == 1 ? "" : "s");
  }

  /** Returns the limit of the interval as a sentence; empty without one. */
  public String caveat() {
    return switch (this) {
      case SESSION_BLOCKS -> "holds for this session; a restart may change it";
      case SEPARATE_SESSIONS -> "compared across a boot";
      default -> "";
    };
  }
}
