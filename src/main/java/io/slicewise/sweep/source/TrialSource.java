package io.slicewise.sweep.source;

import io.slicewise.run.PlannedTrial;
import java.util.List;

/**
 * Decides which trials a run has. It is asked before every trial. A source keeps nothing in mind:
 * its answer depends on the history alone, so a resumed run gets the answer that the run before it
 * would have got.
 *
 * <p>What it answers is in the journal before the first of these trials starts, and from then on in
 * {@link TrialHistory#open()}. A source that plans several trials at once returns those that are
 * still open until all have ended, and only then decides about more.
 */
@FunctionalInterface
public interface TrialSource {
  /** Returns the trials that are to be run after this history, and why. */
  Answer next(TrialHistory history);

  /**
   * The trials that are open now, in the order in which they should run.
   *
   * @param reason why trials are added, or why there are no more, where results decided on it;
   *     otherwise empty
   */
  record Answer(List<PlannedTrial> open, String reason) {
    public Answer {
      open = List.copyOf(open);
    }

    public static Answer of(List<PlannedTrial> open) {
      return new Answer(open, "");
    }

    /** An answer that ends the run early. */
    public static Answer end(String reason) {
      return new Answer(List.of(), reason);
    }
  }
}
