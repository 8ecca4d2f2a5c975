package io.slicewise.experiment;

import java.time.Duration;

/**
 * How long a host may take.
 *
 * @param signIn from dialling to being logged in
 * @param command for one command of the toolstack, or another short one
 */
public record HostLimits(Duration signIn, Duration command) {
  /**
   * A busy or emulated Domain-0 answers within these; nothing waits that long for one that is well.
   */
  public static final HostLimits DEFAULT =
      new HostLimits(Duration.ofMinutes(1), Duration.ofMinutes(2));
}
