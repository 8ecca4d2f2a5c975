package io.slicewise.run;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Somebody's wish to end a run, and the way a run waits: any wait ends at once when the wish is
 * {@code NOW}. Thread-safe; the wish only ever grows.
 */
public final class StopRequest {
  /** How soon. */
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

  /** The first call asks to end after this trial, the second to end now. Returns the new wish. */
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

  /** Waits until that moment; throws {@link StoppedNow} as soon as the wish is {@code NOW}. */
  public void waitUntil(Instant moment) {
    waitUntil(moment, Wish.NOW);
  }

  /** The same, but any wish to stop ends the waiting. */
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
        // Woken early or not, the clock and the wish decide anew.
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

  /** Unwinds a trial that shall end now. */
  public static final class StoppedNow extends RuntimeException {
    private static final long serialVersionUID = 1L;

    StoppedNow() {
      super("asked to stop now");
    }
  }
}
