package io.slicewise.evidence.analysis;

import io.slicewise.base.units.EnumName;
import io.slicewise.base.units.Plural;

/** The basis of an interval: the independent values and what they have in common. */
public enum Basis {
  /** Trials of both sides that have nothing in common (Welch). */
  TRIALS("trial", "block"),
  /** Blocks of trials in which both sides were measured. */
  BLOCKS("block", "block"),
  /** Sessions in which both sides were switched, the replicates of a switchback design. */
  SESSIONS("session", "session"),
  /** Pairs whose order a coin decided: exact, whatever the load did. */
  PAIRS("pair", "pair"),
  /** Blocks of one or two sessions: valid for these sessions only. */
  SESSION_BLOCKS("block", "block"),
  /** Sessions of either side, which share none because they need different boots. */
  SEPARATE_SESSIONS("session", "session");

  private final String value;
  private final String unit;

  Basis(String value, String unit) {
    this.value = value;
    this.unit = unit;
  }

  /** Returns whether both sides were measured in the same blocks. */
  public boolean isBlocked() {
    return this == BLOCKS || this == SESSIONS || this == SESSION_BLOCKS || this == PAIRS;
  }

  /** Returns whether the values are windows of sessions. */
  public boolean isSwitched() {
    return this == SESSIONS || this == SESSION_BLOCKS || this == SEPARATE_SESSIONS || this == PAIRS;
  }

  /** Returns a number of independent values as text: {@code 1 session}, {@code 5 blocks}. */
  public String counted(int number) {
    return Plural.of(number, value);
  }

  /** Returns the unit of further evidence: {@code block}, {@code session}. */
  public String unit() {
    return unit;
  }

  /** Returns the limit of the interval as a sentence; empty without one. */
  public String caveat() {
    return switch (this) {
      case SESSION_BLOCKS -> "holds for this session; a restart may change it";
      case SEPARATE_SESSIONS -> "crosses a boot: differences between boots are included";
      case TRIALS, BLOCKS, SESSIONS, PAIRS -> "";
    };
  }

  /** Returns the basis of intervals, with its limit. */
  public String sentence() {
    return "intervals are over %ss%s".formatted(value, caveat().isEmpty() ? "" : ": " + caveat());
  }

  /** Returns the name in CSV and JSON. */
  public String key() {
    return EnumName.of(this);
  }
}
