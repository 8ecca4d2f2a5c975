package io.slicewise.sweep.source;

import io.slicewise.experiment.Experiment;
import io.slicewise.run.Outlook;
import io.slicewise.run.journal.PlannedTrial;
import java.util.List;
import java.util.Optional;

/**
 * Decides which trials a run has. It is asked before every trial. A source has no state: its answer
 * depends only on the history, so a resumed run gets the same answer as an uninterrupted one.
 *
 * <p>The answer is in the journal before the first of its trials starts, and from then on in {@link
 * TrialHistory#open()}. A source that plans several trials at once returns those that are still
 * open until all have ended, and only then decides about more.
 *
 * <p>Windows of a session are trials with a place ({@link
 * io.slicewise.experiment.Trial#session()}). Then a source is asked after every block: the runner
 * takes the first trial of the answer, and those that follow it in the same session and block, and
 * runs them before it asks again. If the first trial of the next answer belongs to the same
 * session, that session continues, with any profiles of the new block; any other session, a trial
 * without one, or an empty answer ends it: load, workload and observers are torn down, and the next
 * session or trial starts new ones. A session that ended, or that a killed process left, is never
 * continued ({@link TrialHistory#isOver}); a source plans the rest of it as {@link
 * TrialHistory#nextSession}. Open windows that an answer does not repeat are withdrawn.
 */
@FunctionalInterface
public interface TrialSource {
  /** Returns the source of an experiment's trials. */
  static TrialSource of(Experiment experiment) {
    if (experiment.pairs().isPresent()) {
      return new PairsPlan(experiment);
    }
    if (experiment.design().isPresent()) {
      return new SwitchbackPlan(experiment);
    }
    if (experiment.order() == Experiment.Order.EDGE) {
      return new Retrying(new EdgeSource(experiment), experiment);
    }
    TrialSource plan =
        experiment.stop().isPresent() ? new UntilPrecise(experiment) : new FixedPlan(experiment);
    return new Retrying(plan, experiment);
  }

  /** Returns the trials to run after this history, and the reason. */
  Answer next(TrialHistory history);

  /**
   * Returns every trial that a run of this source can have had, whatever its results, from which an
   * edited plan is known.
   *
   * @param planned the journal's trials, as if none had run
   */
  default List<PlannedTrial> possible(TrialHistory planned) {
    return next(planned).open();
  }

  /**
   * The trials that are open now, in the order in which they should run.
   *
   * @param reason why trials are added, or why there are no more, if results decided it; otherwise
   *     empty
   * @param outlook the state of a tune; empty if there is none
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
