package io.slicewise.workload.target;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;

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
