package io.slicewise.ssh;

import java.time.Duration;
import java.util.Optional;

/** Waiting that an interrupt does not cut short; the interrupt is kept for later. */
final class Patience {
  /** Something to wait for, at most that long. */
  interface Awaited<T> {
    Optional<T> within(Duration limit) throws InterruptedException;
  }

  private Patience() {}

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
