package io.slicewise.sweep;

import java.time.Duration;

/**
 * Options of a run that are not part of the experiment.
 *
 * @param takeLock take the host's lock from its holder
 * @param hostPatience how long to wait for an unreachable host before giving up
 * @param adopt declare a copy of a run directory to be the run
 * @param trustDamaged restore settings from the valid part of a damaged journal
 * @param force restore also values that someone else changed since
 */
public record SweepOptions(
    boolean takeLock, Duration hostPatience, boolean adopt, boolean trustDamaged, boolean force) {
  /** Respects locks and waits ten minutes for a lost host. */
  public static final SweepOptions DEFAULT = new SweepOptions(false, Duration.ofMinutes(10));

  /** Returns options that reject copies and damaged journals. */
  public SweepOptions(boolean takeLock, Duration hostPatience) {
    this(takeLock, hostPatience, false, false, false);
  }
}
