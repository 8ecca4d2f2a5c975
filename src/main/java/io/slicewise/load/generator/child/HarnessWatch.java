package io.slicewise.load.generator.child;

import java.time.Duration;
import java.util.OptionalLong;

/**
 * Notices a harness that cannot be heard any more, as when the network is cut: then the input does
 * not end for hours. A harness on this machine is not watched, because it never says that it is
 * there.
 */
final class HarnessWatch {
  /** When the harness is lost; empty before it was heard. */
  private volatile OptionalLong deadlineNanos = OptionalLong.empty();

  /** Notes that the harness is there, and how long it may be silent from now on. */
  void heard(Duration patience) {
    deadlineNanos = OptionalLong.of(System.nanoTime() + patience.toNanos());
  }

  boolean isLost() {
    OptionalLong deadline = deadlineNanos;
    return deadline.isPresent() && System.nanoTime() - deadline.getAsLong() > 0;
  }
}
