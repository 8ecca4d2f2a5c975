package io.slicewise.sweep;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Cleaning up behind work whose outcome counts for more: a fault of the cleaning never hides the
 * work's own, nor throws its result away. It becomes a suppressed exception or a warning.
 */
final class CleanUp {
  private final List<String> warnings = new ArrayList<>();

  /** The result of the work; the cleaning runs after it in any case. */
  <T> T runAndClean(Supplier<T> work, String words, Runnable cleaning) {
    T done;
    try {
      done = work.get();
    } catch (RuntimeException | Error fault) {
      attempt(cleaning).ifPresent(fault::addSuppressed);
      throw fault;
    }
    attempt(cleaning).ifPresent(fault -> warnings.add(words + " failed: " + fault.getMessage()));
    return done;
  }

  private static Optional<RuntimeException> attempt(Runnable cleaning) {
    try {
      cleaning.run();
      return Optional.empty();
    } catch (RuntimeException fault) {
      return Optional.of(fault);
    }
  }

  /** One sentence for each cleaning that failed behind work that did not. */
  List<String> warnings() {
    return List.copyOf(warnings);
  }
}
