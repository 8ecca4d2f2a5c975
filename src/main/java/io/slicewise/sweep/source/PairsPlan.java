package io.slicewise.sweep.source;

import io.slicewise.base.units.DurationText;
import io.slicewise.experiment.Experiment;
import io.slicewise.experiment.PairPlan;
import io.slicewise.experiment.PairsDesign;
import io.slicewise.experiment.SessionPlan;
import io.slicewise.experiment.Trial;
import io.slicewise.run.journal.PlannedTrial;
import io.slicewise.run.result.PairedStudy;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * The pairs of a study, one after the other, until every candidate is decided about or a bound is
 * reached. A pair that was interrupted does not count; its windows are not run again, since what
 * the users did then has passed.
 */
final class PairsPlan implements TrialSource {
  private final Experiment experiment;
  private final PairsDesign design;
  private final PairPlan plan;

  /**
   * @throws java.util.NoSuchElementException if the experiment's design is not of pairs
   */
  PairsPlan(Experiment experiment) {
    this.experiment = experiment;
    this.design = experiment.pairs().orElseThrow();
    this.plan = new PairPlan(experiment);
  }

  @Override
  public Answer next(TrialHistory history) {
    List<PlannedTrial> open =
        history.open().stream()
            .filter(one -> one.trial().session().filter(history::isOver).isEmpty())
            .toList();
    if (!open.isEmpty()) {
      return Answer.of(open);
    }
    PairedStudy study = PairedStudy.of(experiment, history.measured());
    List<Trial> windows = history.planned().stream().map(PlannedTrial::trial).toList();
    List<String> in =
        (design.observe() ? PairPlan.candidates(experiment) : study.in())
            .stream().filter(name -> begun(windows, name) < design.most().pairs()).toList();
    return end(history, study, in)
        .map(Answer::end)
        .orElseGet(
            () ->
                Answer.of(
                    PlannedTrial.of(
                        experiment,
                        plan.next(
                            windows,
                            in,
                            history.nextNumber(),
                            history.nextSession(experiment.loads().get(0))))));
  }

  /** Returns whether the longest next window of a candidate might exceed the budget of harm. */
  private boolean budgetIsSpent(TrialHistory history, PairedStudy study) {
    PairedStudy.Harm spent = study.spent();
    double next =
        SessionPlan.washOut(experiment).plus(PairsDesign.longest(experiment.measure())).toMillis()
            / 1e3;
    double rate =
        history.measured().stream()
            .mapToDouble(window -> window.value("throughput"))
            .filter(Double::isFinite)
            .max()
            .orElse(0);
    return design
            .harm()
            .time()
            .filter(most -> spent.seconds() + next > most.toMillis() / 1e3)
            .isPresent()
        || design
            .harm()
            .requests()
            .filter(most -> spent.requests() + rate * next > most)
            .isPresent();
  }

  private static long begun(List<Trial> windows, String name) {
    return windows.stream().filter(trial -> trial.profile().equals(name)).count();
  }

  /** Returns why no further pair begins; empty if one does. */
  private Optional<String> end(TrialHistory history, PairedStudy study, List<String> in) {
    if (in.isEmpty()) {
      return Optional.of(
          study.in().isEmpty() && !design.observe()
              ? study.ended()
              : "%d pairs of a candidate are the limit: %s"
                  .formatted(design.most().pairs(), study.text()));
    }
    if (budgetIsSpent(history, study)) {
      return Optional.of(
          "the budget of harm does not allow another window of a candidate: " + study.text());
    }
    Duration pair = SessionPlan.washOut(experiment).plus(experiment.measure()).multipliedBy(2);
    return history.elapsed().plus(pair).compareTo(design.most().time()) > 0
        ? Optional.of(
            "another pair would not end within %s: %s"
                .formatted(DurationText.of(design.most().time()), study.text()))
        : Optional.empty();
  }
}
