package io.slicewise.sweep.source;

import io.slicewise.run.Outlook;
import io.slicewise.run.PlannedTrial;
import java.util.List;
import java.util.Optional;

/**
 * Decides which trials a run has. It is asked before every trial. A source keeps nothing in mind:
 * its answer depends on the history alone, so a resumed run gets the answer that the run before it
 * would have got.
 *
 * <p>What it answers is in the journal before the first of these trials starts, and from then on in
 * {@link TrialHistory#open()}. A source that plans several trials at once returns those that are
 * still open until all have ended, and only then decides about more.
 *
 * <p>Windows of a session are trials with a place ({@link
 * io.slicewise.experiment.Trial#session()}). Then a source is asked after every block: the runner
 * takes the first trial of the answer, and those that follow it in the same session and block, and
 * runs them before it asks again. Where the first trial of the next answer is of the same session,
 * that session goes on, under whatever profiles the new block has; any other session, a trial
 * without one, or an empty answer ends it: load, workload and observers are torn down, and what
 * comes next is started anew. A session that ended, or that a killed process left, never goes on
 * ({@link TrialHistory#isOver}); a source plans what is left of it as {@link
 * TrialHistory#nextSession}. Open windows that an answer does not repeat are withdrawn.
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
   * @param outlook how a tune stands; empty where the answer is of no tune
   */
  record Answer(List<PlannedTrial> open, String reason, Optional<Outlook> outlook) {
    public Answer {
      open = List.copyOf(open);
    }

    public Answer(List<PlannedTrial> open, String reason) {
      this(open, reason, Optional.empty());
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
