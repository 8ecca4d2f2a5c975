package io.slicewise.load.spread;

import java.time.Duration;

/**
 * How long a generator and its harness wait for each other.
 *
 * @param generator may be silent for that long before it is lost; it reports once a second
 */
record SilenceLimits(Duration generator) {
  static final SilenceLimits STANDARD = new SilenceLimits(Duration.ofSeconds(5));

  /** The time for a machine to end a process, after which it counts as unreachable. */
  Duration answer() {
    return generator.multipliedBy(2);
  }

  /** The silence after which a generator ends itself because its harness is lost. */
  Duration harnessSilence() {
    return generator.multipliedBy(3);
  }
}
