package io.slicewise.load.generator.child;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Notices a harness that cannot be heard any more, as when the network is cut: then the input does
 * not end for hours. A harness on this machine is not watched, because it never says that it is
 * there.
 */
final class HarnessWatch {
  private static final Duration PATIENCE = Duration.ofSeconds(15);
  private static final long NEVER = Long.MIN_VALUE;

  private final AtomicLong heardNanos = new AtomicLong(NEVER);

  void heard() {
    heardNanos.set(System.nanoTime());
  }

  boolean isLost() {
    long heard = heardNanos.get();
    return heard != NEVER && System.nanoTime() - heard > PATIENCE.toNanos();
  }
}
