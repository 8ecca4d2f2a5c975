package io.slicewise.workload.target;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;

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

  /**
   * Runs the steps of an answer at their pace. Blocking calls run on the workers, one for each
   * database connection; no thread waits for a pace.
   *
   * @param <S> the application's steps
   */
  record Steps<S>(Pace<S> pace, Executor workers) {
    /** The first step of an answer, after which a worker continues. */
    CompletionStage<Void> first(S step) {
      return next(step).thenRunAsync(() -> {}, workers);
    }

    /** The next step, which continues in this thread if its pace allows it at once. */
    CompletionStage<Void> next(S step) {
      CompletableFuture<Void> paced = pace.before(step).toCompletableFuture();
      return paced.isDone() ? paced : paced.thenRunAsync(() -> {}, workers);
    }
  }
}
