package io.slicewise.cli.screens;

import io.slicewise.cli.screens.ProgressScreen.ExperimentPart;
import io.slicewise.experiment.Experiment;
import io.slicewise.experiment.Plan;
import io.slicewise.experiment.Trial;
import io.slicewise.experiment.goal.Tuning.Budget;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * Estimates the remaining time: first as planned, then from the time that the finished trials took
 * with all that lies between them. A tune with a budget of time ends with its budget.
 */
final class TimeLeft {
  private final Clock clock;
  private final Instant began;
  private final Duration planned;
  private final Optional<Duration> budget;
  private final ExperimentPart part;
  private Optional<Instant> first = Optional.empty();
  private Instant lastEnd;
  private int trials;
  private Optional<Instant> budgetEnd = Optional.empty();

  TimeLeft(Clock clock, Experiment experiment, ExperimentPart part) {
    this.clock = clock;
    this.began = clock.instant();
    this.lastEnd = began;
    this.planned = Plan.trialTime(experiment);
    this.budget = budget(experiment);
    this.part = part;
  }

  /** Returns the time that an experiment takes by its plan or budget, without start and end. */
  static Duration planned(Experiment experiment) {
    return budget(experiment).orElseGet(() -> ofTrials(experiment));
  }

  private static Optional<Duration> budget(Experiment experiment) {
    return experiment.tuning().flatMap(tuning -> tuning.budget().time());
  }

  private static Duration ofTrials(Experiment experiment) {
    List<Trial> plan = Plan.of(experiment);
    int trials =
        experiment.tuning().map(tuning -> tuning.budget()).stream()
            .map(Budget::most)
            .mapToInt(most -> most.orElse(plan.size()))
            .findFirst()
            .orElse(plan.size());
    long sessions = plan.stream().flatMap(trial -> trial.session().stream()).distinct().count();
    return Plan.trialTime(experiment)
        .multipliedBy(trials)
        .plus(experiment.warmUp().multipliedBy(sessions));
  }

  void trialStarted() {
    if (first.isEmpty()) {
      first = Optional.of(clock.instant());
      budgetEnd = budget.map(first.get()::plus);
    }
  }

  void trialEnded() {
    trials++;
    lastEnd = clock.instant();
  }

  /** Takes over the rest of the budget of a tune; infinite where time is not limited. */
  void budget(double seconds) {
    if (Double.isFinite(seconds)) {
      budgetEnd = Optional.of(clock.instant().plusMillis(Math.round(1000 * seconds)));
    }
  }

  /** Returns the time since this process took over the run. */
  Duration elapsed() {
    return Duration.between(began, clock.instant());
  }

  /** Returns the time for this many trials, including the current one. */
  Duration left(int remaining) {
    Instant now = clock.instant();
    if (budgetEnd.isPresent()) {
      return positive(Duration.between(now, budgetEnd.get()));
    }
    if (trials == 0 && budget.isPresent()) {
      return budget.get();
    }
    Duration each =
        trials == 0 ? planned : Duration.between(first.orElse(began), lastEnd).dividedBy(trials);
    Duration done = Duration.between(trials == 0 ? first.orElse(now) : lastEnd, now);
    return positive(each.multipliedBy(remaining).minus(done.compareTo(each) < 0 ? done : each));
  }

  /** Returns the time for this many trials and for the parts after this one. */
  Duration leftOfAll(int remaining) {
    Duration start = Duration.between(began, first.orElse(began));
    return left(remaining).plus(part.later()).plus(start.multipliedBy(part.of() - part.number()));
  }

  /** Returns the share of this part's time that has passed, 0..1. */
  double share(int remaining) {
    double passed = elapsed().toMillis();
    double all = passed + left(remaining).toMillis();
    return all == 0 ? 0 : passed / all;
  }

  private static Duration positive(Duration time) {
    return time.isNegative() ? Duration.ZERO : time;
  }
}
