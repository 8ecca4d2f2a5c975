package io.slicewise.sweep;

import java.time.Duration;

/**
 * How a run behaves, apart from what the experiment says.
 *
 * @param takeLock take the host's lock from whoever holds it
 * @param hostPatience how long to wait for a host that is out of reach before giving the run up
 * @param adopt make a copy of a run directory the run
 * @param trustDamaged restore settings from what is sound of a damaged journal
 * @param hostLateness how late a host is that is only simulated
 */
public record SweepOptions(
    boolean takeLock,
    Duration hostPatience,
    boolean adopt,
    boolean trustDamaged,
    HostLateness hostLateness) {
  /** Leaves a held lock alone and waits ten minutes for a lost host. */
  public static final SweepOptions DEFAULT = new SweepOptions(false, Duration.ofMinutes(10));

  /** Refuses copies and damaged journals; for a real host. */
  public SweepOptions(boolean takeLock, Duration hostPatience) {
    this(takeLock, hostPatience, false, false);
  }

  /** For a real host. */
  public SweepOptions(
      boolean takeLock, Duration hostPatience, boolean adopt, boolean trustDamaged) {
    this(takeLock, hostPatience, adopt, trustDamaged, HostLateness.NONE);
  }

  /** The same on a host that may be late. */
  public SweepOptions on(HostLateness host) {
    return new SweepOptions(takeLock, hostPatience, adopt, trustDamaged, host);
  }
}
