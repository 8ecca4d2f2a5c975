package io.slicewise.sweep.source;

import io.slicewise.base.units.DurationText;
import io.slicewise.experiment.Experiment;
import io.slicewise.experiment.Plan;
import io.slicewise.experiment.Stop;
import io.slicewise.experiment.Trial;
import io.slicewise.profile.SchedulerProfile;
import io.slicewise.run.SweepListener.Outlook;
import io.slicewise.run.journal.PlannedTrial;
import io.slicewise.run.result.Measured;
import io.slicewise.run.result.Precision;
import io.slicewise.run.result.Search;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

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
    Optional<Search> search = experiment.order().study(Search.class);
    if (search.isPresent()) {
      return new Retrying(new Searched(experiment, search.get()), experiment);
    }
    TrialSource plan =
        experiment.stop().isPresent() ? new UntilPrecise(experiment) : new FixedPlan(experiment);
    return new Retrying(plan, experiment);
  }

  /** Returns the trials to run after this history, and the reason. */
  Answer next(TrialHistory history);

  /** Receives the host's judgement of profiles; for a source that chooses profiles. */
  default void judgedBy(Function<SchedulerProfile, Optional<String>> refusal) {}

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

  /** The fixed plan, and further blocks as required by its {@code stop}. */
  final class UntilPrecise implements TrialSource {
    private final Experiment experiment;
    private final Stop stop;
    private final FixedPlan plan;

    /**
     * @throws java.util.NoSuchElementException if the experiment has no {@code stop}
     */
    UntilPrecise(Experiment experiment) {
      this.experiment = experiment;
      this.stop = experiment.stop().orElseThrow();
      this.plan = new FixedPlan(experiment);
    }

    @Override
    public Answer next(TrialHistory history) {
      Answer planned = plan.next(history);
      if (!planned.open().isEmpty()) {
        return planned;
      }
      int blocks = plan.blocks(history);
      Precision precision = Precision.after(experiment, history.measured());
      return reasonToStop(history, blocks, precision)
          .map(Answer::end)
          .orElseGet(() -> new Answer(plan.block(blocks + 1), precision.text()));
    }

    /** Returns the reason for stopping after that many blocks; empty if another block is needed. */
    private Optional<String> reasonToStop(TrialHistory history, int blocks, Precision precision) {
      if (precision.enough()) {
        long hopeless = precision.cells().stream().filter(Precision.Cell::hopeless).count();
        return Optional.of(
            "precise: %s%s"
                .formatted(
                    precision.text(),
                    hopeless == 0 ? "" : "; " + hopeless + " without any valid trial"));
      }
      if (blocks >= stop.trials()) {
        return Optional.of(
            "%d blocks are the limit; precise: %s".formatted(blocks, precision.text()));
      }
      if (history.elapsed().plus(blockTime(history)).compareTo(stop.time()) > 0) {
        return Optional.of(
            "another block would not end within %s; precise: %s"
                .formatted(DurationText.of(stop.time()), precision.text()));
      }
      return Optional.empty();
    }

    /** Returns the estimated duration of a block from the trials so far, including cool-down. */
    private Duration blockTime(TrialHistory history) {
      double seconds =
          history.measured().stream()
              .mapToDouble(Measured::seconds)
              .average()
              .orElse(Plan.trialTime(experiment).minus(experiment.coolDown()).toNanos() / 1e9);
      return experiment
          .coolDown()
          .plusNanos(Math.round(seconds * 1e9))
          .multipliedBy(experiment.cells());
    }
  }

  /** The trials of a kind of study whose results decide which come next. */
  record Searched(Experiment experiment, Search search) implements TrialSource {
    @Override
    public Answer next(TrialHistory history) {
      Search.Round round = search.next(experiment, history.measured());
      return new Answer(history.open(PlannedTrial.of(experiment, round.trials())), round.reason());
    }

    /** Returns all trials that a search could need: which of them it has, its results decide. */
    @Override
    public List<PlannedTrial> possible(TrialHistory planned) {
      return PlannedTrial.of(experiment, search.plan(experiment));
    }
  }

  /** The plan of the experiment file: every repetition of every cell, and added blocks. */
  record FixedPlan(Experiment experiment) implements TrialSource {
    @Override
    public Answer next(TrialHistory history) {
      return Answer.of(history.open(trials(blocks(history))));
    }

    int blocks(TrialHistory history) {
      return Math.max(experiment.repetitions(), history.blocks());
    }

    List<PlannedTrial> block(int block) {
      return trials(block).stream().filter(one -> one.trial().block() == block).toList();
    }

    private List<PlannedTrial> trials(int blocks) {
      return PlannedTrial.of(experiment, Plan.of(experiment, blocks));
    }
  }

  /**
   * Repeats the invalid trials of another source as often as the limits allow. For that source, a
   * trial is open until an attempt is valid or no further one is allowed.
   */
  record Retrying(TrialSource source, Experiment experiment) implements TrialSource {
    @Override
    public Answer next(TrialHistory history) {
      Map<Integer, List<Measured>> attempts = history.attempts();
      Answer answer =
          source.next(
              history.measured(
                  one -> !again(attempts.get(one.trial().number()), history.measured())));
      List<PlannedTrial> open = new ArrayList<>();
      for (PlannedTrial one : answer.open()) {
        open.add(one.attempt(attempts.getOrDefault(one.trial().number(), List.of()).size() + 1));
      }
      if (experiment.order().hasBlocks()) {
        // A further attempt waits until its block has run.
        open.sort(
            Comparator.comparingInt((PlannedTrial one) -> one.trial().block())
                .thenComparingInt(one -> one.trial().attempt()));
      }
      return new Answer(open, answer.reason(), answer.outlook());
    }

    @Override
    public void judgedBy(Function<SchedulerProfile, Optional<String>> refusal) {
      source.judgedBy(refusal);
    }

    private boolean again(List<Measured> attempts, List<Measured> all) {
      int most = experiment.limits().moreAttempts();
      return attempts.stream().noneMatch(Measured::valid)
          && attempts.size() <= most
          && !hopeless(attempts.get(0).trial(), most, all);
    }

    @Override
    public List<PlannedTrial> possible(TrialHistory planned) {
      return source.possible(planned);
    }

    /** Returns whether no attempt of any trial of the cell was valid. */
    private static boolean hopeless(Trial trial, int most, List<Measured> all) {
      List<Measured> cell =
          all.stream()
              .filter(one -> one.trial().load().equals(trial.load()))
              .filter(one -> one.trial().profile().equals(trial.profile()))
              .toList();
      return cell.size() > most && cell.stream().noneMatch(Measured::valid);
    }
  }
}
