package io.slicewise.tune.course;

import io.slicewise.experiment.Experiment;
import io.slicewise.experiment.goal.Tuning;
import io.slicewise.experiment.load.Load;
import io.slicewise.run.SweepListener.Outlook;
import io.slicewise.run.journal.PlannedTrial;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** All races of a tune: one, or one for each load. */
public final class TuneCourse {
  private final Experiment experiment;
  private final CandidatePool pool;
  private final Situation situation;
  private final Costs costs;
  private final List<RaceCourse> races = new ArrayList<>();

  public TuneCourse(Experiment experiment, CandidatePool pool, Situation situation) {
    this.experiment = experiment;
    this.pool = pool;
    this.situation = situation;
    this.costs = Costs.of(experiment, situation);
    for (List<Load> loads : groups(experiment)) {
      List<String> entrants = pool.entrants().get(races.size());
      races.add(new RaceCourse(experiment, pool, loads, entrants, situation.history()));
    }
  }

  /** Returns trials of the settings found, which calibrate a simulation. */
  public static List<PlannedTrial> calibration(Experiment experiment, Situation situation) {
    return Planner.calibration(experiment, situation);
  }

  /** Returns the loads, grouped by shared answer. */
  public static List<List<Load>> groups(Experiment experiment) {
    return experiment.tuning().orElseThrow().loads() == Tuning.Loads.TOGETHER
        ? List.of(experiment.loads())
        : experiment.loads().stream().map(List::of).toList();
  }

  public List<RaceCourse> races() {
    return List.copyOf(races);
  }

  /**
   * Returns the next step; each race except the last leaves the others their part of the budget.
   */
  public CourseStep next() {
    List<String> reasons = new ArrayList<>();
    for (int i = 0; i < races.size(); i++) {
      Decision decision =
          new Decision(races.get(i), new Planner(experiment, pool, situation), costs, left(i + 1));
      CourseStep step = decision.next();
      if (!step.trials().isEmpty()) {
        return step;
      }
      reasons.add(step.reason());
    }
    return new CourseStep(List.of(), reasons.stream().distinct().collect(Collectors.joining("; ")));
  }

  private Allowance left(int races) {
    return Allowance.of(
        experiment.tuning().orElseThrow().budget(),
        situation.nights() * (double) races / this.races.size(),
        costs.spent(),
        situation.spentTrials());
  }

  /** Returns the state of the current race for display. */
  public Outlook outlook() {
    RaceCourse now =
        races.stream()
            .filter(race -> !race.confirmations().endedRace())
            .findFirst()
            .orElse(races.get(races.size() - 1));
    List<RaceCourse.BlockState> path = now.path();
    RaceCourse.BlockState last = path.isEmpty() ? null : path.get(path.size() - 1);
    return new Outlook(
        last == null ? now.entrants().size() : last.racing(),
        last == null ? "" : last.best(),
        last == null ? 0 : last.probability(),
        secondsLeft());
  }

  /** Returns the number of measured trials or windows. */
  public int trials() {
    return (int) situation.spentTrials();
  }

  /** Returns the total time so far in seconds, set-up and tear-down included. */
  public double seconds() {
    return costs.spent();
  }

  /** Returns the rest of the whole budget in seconds; infinite if time is not limited. */
  public double secondsLeft() {
    return Math.max(0, left(races.size()).seconds());
  }

  /**
   * The rest of a budget.
   *
   * @param seconds infinite if time is not limited
   * @param trials infinite if their number is not limited
   */
  record Allowance(double seconds, double trials) {
    /** Returns a share of the budget of that many nights, less what was spent. */
    static Allowance of(
        Tuning.Budget budget, double nights, double spentSeconds, double spentTrials) {
      return new Allowance(
          budget.time().isPresent()
              ? nights * budget.time().get().toNanos() / 1e9 - spentSeconds
              : Double.POSITIVE_INFINITY,
          budget.most().isPresent()
              ? nights * budget.most().getAsInt() - spentTrials
              : Double.POSITIVE_INFINITY);
    }

    /** Returns whether that many trials, which take that long, fit. */
    boolean covers(double number, double theirSeconds) {
      return number <= trials && theirSeconds <= seconds;
    }
  }

  /**
   * The next step of a tune.
   *
   * @param trials to run; empty if the tune is over for this night
   * @param reason why trials of a new kind start, or why there are no more; otherwise empty
   */
  public record CourseStep(List<PlannedTrial> trials, String reason) {
    public CourseStep {
      trials = List.copyOf(trials);
    }
  }
}
