package io.slicewise.ssh;

import java.time.Duration;
import java.util.Optional;

/** Waits for something to end; an interrupt in the meantime is passed on to the caller. */
final class Patience {
  /** Something to wait for, up to a limit. */
  interface Awaited<T> {
    Optional<T> within(Duration limit) throws InterruptedException;
  }

  private Patience() {}

  /** Waits; an interrupt ends the wait without a result. */
  static <T> Optional<T> unlessInterrupted(Duration limit, Awaited<T> awaited) {
    try {
      return awaited.within(limit);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return Optional.empty();
    }
  }

  /** Waits; an interrupt does not end the wait. */
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
