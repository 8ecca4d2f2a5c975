package io.slicewise.experiment;

import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/** How an experiment measures its profiles inside running sessions, instead of in trials. */
public sealed interface SessionDesign permits SwitchbackDesign, PairsDesign {
  /** The shortest wait of {@code wash-out: auto}. */
  Duration LEAST_WASH_OUT = Duration.ofSeconds(2);

  /** Returns the word of {@code kind} in files. */
  String kind();

  /** Returns the number of sessions for each load. */
  int sessions();

  /** Returns the most blocks of a session. */
  int blocks();

  /** Returns the time measured under one profile. */
  Duration window();

  /**
   * Returns the time between a change of settings and the window after it; empty if it is computed
   * from the host and the load.
   */
  Optional<Duration> washOut();

  /** Returns what must not change once windows are measured, by name. */
  Map<String, String> fixed();

  /** Returns how pairs are drawn and when they end; empty where blocks have every profile. */
  default Optional<PairsDesign> pairs() {
    return Optional.empty();
  }

  /** Returns the most windows of every profile at every load. */
  default int windows() {
    return Math.multiplyExact(sessions(), blocks());
  }
}
