package io.slicewise.sweep.window;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Runs clean-up after work without losing the outcome of the work: a failure of the clean-up
 * becomes a suppressed exception or a warning.
 */
public final class CleanUp {
  private final List<String> warnings = new ArrayList<>();

  /** Returns the result of the work; the clean-up runs after it in any case. */
  public <T> T runAndClean(Supplier<T> work, String words, Runnable cleaning) {
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

  /** Returns one sentence for each failed clean-up of successful work. */
  public List<String> warnings() {
    return List.copyOf(warnings);
  }
}
