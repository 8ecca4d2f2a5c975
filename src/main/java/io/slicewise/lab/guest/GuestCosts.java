package io.slicewise.lab.guest;

import java.time.Duration;

/**
 * What computing costs in a guest.
 *
 * @param cpu factor on the CPU time of all work, at least 1
 * @param fault the CPU time of a page fault
 */
public record GuestCosts(double cpu, Duration fault) {
  /** On the bare machine. */
  public static final GuestCosts BARE = new GuestCosts(1, Duration.ofNanos(2_000));

  public GuestCosts {
    if (!(cpu >= 1) || fault.isNegative()) {
      throw new IllegalArgumentException("a guest needs no less CPU time than the bare machine");
    }
  }

  /** Returns the CPU time of some work, with its page faults. */
  long nanos(long work, int faults) {
    return Math.round(work * cpu) + faults * fault.toNanos();
  }
}
