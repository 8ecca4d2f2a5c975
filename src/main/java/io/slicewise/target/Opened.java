package io.slicewise.target;

import java.util.ArrayDeque;
import java.util.Deque;

/** What has been opened so far of something that is put together; it all goes if a part fails. */
final class Opened {
  private final Deque<AutoCloseable> parts = new ArrayDeque<>();

  <T extends AutoCloseable> T with(T part) {
    parts.push(part);
    return part;
  }

  /** Closes everything, the last part first; what fails then is suppressed by the first fault. */
  void close(RuntimeException first) {
    try {
      closeAll(parts.toArray(AutoCloseable[]::new));
    } catch (RuntimeException fault) {
      first.addSuppressed(fault);
    }
  }

  /** Closes every part in this order, whatever becomes of the others; throws the first fault. */
  static void closeAll(AutoCloseable... parts) {
    RuntimeException first = null;
    for (AutoCloseable part : parts) {
      try {
        part.close();
      } catch (Exception fault) {
        RuntimeException told =
            fault instanceof RuntimeException known ? known : new IllegalStateException(fault);
        if (first == null) {
          first = told;
        } else {
          first.addSuppressed(told);
        }
      }
    }
    if (first != null) {
      throw first;
    }
  }
}
