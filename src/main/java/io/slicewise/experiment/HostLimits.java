package io.slicewise.experiment;

import java.time.Duration;

/**
 * Timeouts of a host.
 *
 * @param signIn from dialling until logged in
 * @param command for one short command, of the toolstack or another
 */
public record HostLimits(Duration signIn, Duration command) {
  /** Limits that a busy or emulated Domain-0 keeps; a healthy host answers much sooner. */
  public static final HostLimits DEFAULT =
      new HostLimits(Duration.ofMinutes(1), Duration.ofMinutes(2));
}
