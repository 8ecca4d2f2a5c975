package io.slicewise.workload.target;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;

/**
 * Takes an answer's steps at their pace. What blocks runs on the workers, one for each database
 * connection; while a pace is waited for, no thread is held.
 *
 * @param <S> the application's steps
 */
record Steps<S>(Pace<S> pace, Executor workers) {
  /** The first step of an answer, after which a worker goes on. */
  CompletionStage<Void> first(S step) {
    return next(step).thenRunAsync(() -> {}, workers);
  }

  /** A step that has its pace already goes on in this thread, without a detour. */
  CompletionStage<Void> next(S step) {
    CompletableFuture<Void> paced = pace.before(step).toCompletableFuture();
    return paced.isDone() ? paced : paced.thenRunAsync(() -> {}, workers);
  }
}
