package io.slicewise.sweep;

import java.time.Duration;

/**
 * How a run behaves, apart from what the experiment says.
 *
 * @param takeLock take the host's lock from whoever holds it
 * @param hostPatience how long to wait for a host that is out of reach before giving the run up
 * @param adopt make a copy of a run directory the run
 * @param trustDamaged restore settings from what is sound of a damaged journal
 */
public record SweepOptions(
    boolean takeLock, Duration hostPatience, boolean adopt, boolean trustDamaged) {
  /** Leaves a held lock alone and waits ten minutes for a lost host. */
  public static final SweepOptions DEFAULT = new SweepOptions(false, Duration.ofMinutes(10));

  /** Refuses copies and damaged journals. */
  public SweepOptions(boolean takeLock, Duration hostPatience) {
    this(takeLock, hostPatience, false, false);
  }
}
