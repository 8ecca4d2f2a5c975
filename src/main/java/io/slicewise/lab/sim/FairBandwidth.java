package io.slicewise.lab.sim;

import io.slicewise.lab.sim.FairScheduler.Quota;
import io.slicewise.lab.sim.FairScheduler.Throttling;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * The bandwidth control of one control group: so much CPU time in each period. What is overrun is
 * taken off the next period; what is left over is not kept. Periods run only while there is
 * something to count.
 */
final class FairBandwidth {
  private static final long NANOS_A_MICRO = 1000;

  private final Engine engine;
  private final Consumer<FairBandwidth> changed;
  private Optional<Quota> quota = Optional.empty();
  private int timer = -1;
  private long left;
  private boolean used;
  private boolean throttled;
  private long throttledSince;
  private long periods;
  private long throttledPeriods;
  private long throttledNanos;

  /** Reports whenever it begins or stops to hold its threads back. */
  FairBandwidth(Engine engine, Consumer<FairBandwidth> changed) {
    this.engine = engine;
    this.changed = changed;
  }

  boolean throttled() {
    return throttled;
  }

  void set(Optional<Quota> wanted) {
    if (wanted.equals(quota)) {
      return;
    }
    quota = wanted;
    if (wanted.isEmpty()) {
      close();
      left = 0;
      release();
      return;
    }
    if (timer < 0) {
      timer = engine.timers.open(this::replenish);
    }
    left = quotaNanos();
    used = false;
    engine.timers.set(timer, Timers.NEVER);
    release();
  }

  void close() {
    if (timer >= 0) {
      engine.timers.close(timer);
      timer = -1;
    }
  }

  private long quotaNanos() {
    return quota.orElseThrow().quotaMicros() * NANOS_A_MICRO;
  }

  private long periodNanos() {
    return quota.orElseThrow().periodMicros() * NANOS_A_MICRO;
  }

  /** How much longer one thread may run. */
  long left() {
    return quota.isEmpty() ? Timers.NEVER : Math.max(0, left);
  }

  /** One of its threads is about to run. */
  void begin() {
    if (quota.isPresent() && !engine.timers.isSet(timer)) {
      engine.timers.set(timer, engine.now() + periodNanos());
    }
  }

  /** One of its threads has run. */
  void use(long nanos) {
    if (quota.isPresent() && nanos > 0) {
      used = true;
      left -= nanos;
    }
  }

  /** Whether its time is used up now; it holds its threads back from then on. */
  boolean exhausted() {
    if (quota.isEmpty() || left > 0 || throttled) {
      return throttled;
    }
    throttled = true;
    throttledPeriods++;
    throttledSince = engine.now();
    changed.accept(this);
    return true;
  }

  private void replenish(long now) {
    periods++;
    left = Math.min(quotaNanos(), left + quotaNanos());
    if (used || throttled) {
      engine.timers.set(timer, now + periodNanos());
    }
    used = false;
    if (left > 0) {
      release();
    }
  }

  private void release() {
    if (throttled) {
      throttled = false;
      throttledNanos += engine.now() - throttledSince;
      changed.accept(this);
    }
  }

  Throttling counts() {
    long open = throttled ? engine.now() - throttledSince : 0;
    return new Throttling(periods, throttledPeriods, throttledNanos + open);
  }
}
