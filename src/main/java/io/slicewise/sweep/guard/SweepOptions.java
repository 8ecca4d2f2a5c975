package io.slicewise.sweep.guard;

import java.time.Duration;

/**
 * Options of a run that are not part of the experiment.
 *
 * @param takeLock take the host's lock from its holder
 * @param hostPatience how long to wait for an unreachable host before giving up
 * @param adopt declare a copy of a run directory to be the run
 * @param trustDamaged restore settings from the valid part of a damaged journal
 * @param force restore also values that someone else changed since
 * @param quietPatience how long to wait in all while other programs use this machine; zero to not
 *     wait
 */
public record SweepOptions(
    boolean takeLock,
    Duration hostPatience,
    boolean adopt,
    boolean trustDamaged,
    boolean force,
    Duration quietPatience) {
  /** Respects locks, waits ten minutes for a lost host, and does not wait for a quiet machine. */
  public static final SweepOptions DEFAULT = new SweepOptions(false, Duration.ofMinutes(10));

  /** Returns options that reject copies and damaged journals. */
  public SweepOptions(boolean takeLock, Duration hostPatience) {
    this(takeLock, hostPatience, false, false, false, Duration.ZERO);
  }

  /** Returns options that wait for a quiet machine for as long. */
  public SweepOptions waitingForQuiet(Duration patience) {
    return new SweepOptions(takeLock, hostPatience, adopt, trustDamaged, force, patience);
  }
}
