package io.slicewise.target;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * When each step of a page view may go on. A host of the application that hands out CPU time (a
 * simulated guest, say) completes the stage once the step has had its share; no thread of the
 * application is held meanwhile. A stage that fails ends the page view with status 503.
 */
@FunctionalInterface
public interface Pace {
  /** Every step at once: the application as fast as its machine. */
  Pace FREE = step -> CompletableFuture.completedFuture(null);

  /** A stage that completes when the step may begin; from any thread, which is left at once. */
  CompletionStage<Void> before(Step step);
}
