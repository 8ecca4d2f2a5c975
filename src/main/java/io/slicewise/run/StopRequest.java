package io.slicewise.run;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A request to end a run, with interruptible waits: any wait ends at once if the request is {@code
 * NOW}. Thread-safe; the request only becomes more urgent.
 */
public final class StopRequest {
  /** The urgency of a request. */
  public enum Wish {
    GO_ON,
    AFTER_THIS_TRIAL,
    NOW
  }

  private final Clock clock;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private Wish wish = Wish.GO_ON;

  public StopRequest(Clock clock) {
    this.clock = clock;
  }

  /**
   * Requests to end after this trial at the first call, and now at the second. Returns the new
   * request.
   */
  public Wish ask() {
    return raise(wish() == Wish.GO_ON ? Wish.AFTER_THIS_TRIAL : Wish.NOW);
  }

  public Wish askNow() {
    return raise(Wish.NOW);
  }

  private Wish raise(Wish atLeast) {
    lock.lock();
    try {
      wish = atLeast.compareTo(wish) > 0 ? atLeast : wish;
      changed.signalAll();
      return wish;
    } finally {
      lock.unlock();
    }
  }

  public Wish wish() {
    lock.lock();
    try {
      return wish;
    } finally {
      lock.unlock();
    }
  }

  /** Waits until a time; throws {@link StoppedNow} as soon as the request is {@code NOW}. */
  public void waitUntil(Instant moment) {
    waitUntil(moment, Wish.NOW);
  }

  /** Waits until a time, or until any request to stop. */
  public void restUntil(Instant moment) {
    waitUntil(moment, Wish.AFTER_THIS_TRIAL);
  }

  private void waitUntil(Instant moment, Wish enough) {
    lock.lock();
    try {
      while (true) {
        throwIfNow();
        if (wish.compareTo(enough) >= 0) {
          return;
        }
        Duration left = Duration.between(clock.instant(), moment);
        if (left.isNegative() || left.isZero()) {
          return;
        }
        // After every wake-up, the clock and the request decide again.
        changed.awaitNanos(left.toNanos());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new StoppedNow();
    } finally {
      lock.unlock();
    }
  }

  void throwIfNow() {
    if (wish() == Wish.NOW) {
      throw new StoppedNow();
    }
  }

  /** Unwinds a trial that must end now. */
  public static final class StoppedNow extends RuntimeException {
    private static final long serialVersionUID = 1L;

    StoppedNow() {
      super("stopped immediately on request");
    }
  }
}
