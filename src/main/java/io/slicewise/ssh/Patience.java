package io.slicewise.ssh;

import java.time.Duration;
import java.util.Optional;

/** Waiting for an end; an interrupt meanwhile is kept for the caller. */
final class Patience {
  /** Something to wait for, at most that long. */
  interface Awaited<T> {
    Optional<T> within(Duration limit) throws InterruptedException;
  }

  private Patience() {}

  /** An interrupt ends the wait with nothing. */
  static <T> Optional<T> unlessInterrupted(Duration limit, Awaited<T> awaited) {
    try {
      return awaited.within(limit);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return Optional.empty();
    }
  }

  /** An interrupt does not cut the wait short. */
  static <T> Optional<T> until(Duration limit, Awaited<T> awaited) {
    long deadline = System.nanoTime() + limit.toNanos();
    boolean interrupted = false;
    try {
      while (true) {
        try {
          return awaited.within(Duration.ofNanos(deadline - System.nanoTime()));
        } catch (InterruptedException e) {
          interrupted = true;
        }
      }
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
