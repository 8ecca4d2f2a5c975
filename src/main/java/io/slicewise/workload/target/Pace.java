package io.slicewise.workload.target;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * Decides when each step of an answer may continue. A host that schedules CPU time, such as a
 * simulated guest, completes the stage once the step has received its share; no thread waits in the
 * meantime. A failed stage ends the answer with status 503.
 *
 * @param <S> the application's steps
 */
@FunctionalInterface
public interface Pace<S> {
  /** Runs every step at once, as fast as the machine. */
  static <S> Pace<S> free() {
    return step -> CompletableFuture.completedFuture(null);
  }

  /**
   * Returns a stage that completes when the step may begin; from any thread, without blocking it.
   */
  CompletionStage<Void> before(S step);
}
