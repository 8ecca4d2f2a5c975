package io.slicewise.workload.target;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * When each step of an answer may go on. A host of the application that hands out CPU time (a
 * simulated guest, say) completes the stage once the step has had its share; no thread of the
 * application is held meanwhile. A stage that fails ends the answer with status 503.
 *
 * @param <S> the application's steps
 */
@FunctionalInterface
public interface Pace<S> {
  /** Every step at once: the application as fast as its machine. */
  static <S> Pace<S> free() {
    return step -> CompletableFuture.completedFuture(null);
  }

  /** A stage that completes when the step may begin; from any thread, which is left at once. */
  CompletionStage<Void> before(S step);
}
