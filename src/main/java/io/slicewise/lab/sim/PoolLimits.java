package io.slicewise.lab.sim;

import java.time.Duration;
import java.time.temporal.ChronoUnit;

/** The hypervisor's ranges for pool-wide settings. */
final class PoolLimits {
  private PoolLimits() {}

  static Duration micros(long micros) {
    return Duration.of(micros, ChronoUnit.MICROS);
  }

  static void ratelimit(Duration value) {
    if (!value.isZero()) {
      within(value, micros(100), Duration.ofMillis(500), "ratelimit");
    }
  }

  static void within(Duration value, Duration least, Duration most, String what) {
    if (value.compareTo(least) < 0 || value.compareTo(most) > 0) {
      throw HypervisorRefusal.invalid(what + " " + value + " is not in " + least + ".." + most);
    }
  }
}
