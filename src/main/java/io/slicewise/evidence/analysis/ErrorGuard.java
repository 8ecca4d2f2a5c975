package io.slicewise.evidence.analysis;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.slicewise.evidence.analysis.Guard.Outcome;
import io.slicewise.experiment.Experiment;
import io.slicewise.experiment.goal.Aim;
import io.slicewise.experiment.load.Load;
import io.slicewise.run.result.TrialResult;
import io.slicewise.stats.Estimate;
import io.slicewise.stats.IntervalMethod;
import java.util.List;
import java.util.Optional;

/**
 * The largest acceptable share of failed requests. It is an absolute share, since a change from
 * zero errors has no ratio. Its outcome follows from the 95 % interval over a cell's trials, as for
 * {@link Guard}.
 *
 * @param limit 0..1
 */
public record ErrorGuard(double limit) {
  /** Returns the guard of an experiment, if it has one. */
  public static Optional<ErrorGuard> of(Experiment experiment) {
    return Optional.ofNullable(experiment.aim().guard().get(Aim.ERRORS)).map(ErrorGuard::new);
  }

  /**
   * The failures of a setting at a load compared with the limit.
   *
   * @param before the share with the reference; {@code NaN} without valid trials
   * @param now the share with the setting
   */
  public record Judged(
      String profile,
      @JsonUnwrapped Load load,
      double limit,
      Estimate before,
      Estimate now,
      Outcome outcome) {}

  /**
   * Returns the outcome for every profile except the baseline and its controls, by load; unclear
   * without valid trials.
   */
  public List<Judged> within(Experiment experiment, List<TrialResult> results) {
    return CellTrials.of(experiment, results).stream()
        .filter(cell -> !cell.profile().equals(experiment.baseline()))
        .filter(cell -> !Comparisons.isControl(experiment, cell.profile()))
        .map(
            cell ->
                judged(
                    cell.profile(),
                    cell.load(),
                    errors(experiment, results, experiment.baseline(), cell.load()),
                    estimate(cell.values(Metric.ERRORS))))
        .toList();
  }

  /** Returns the outcome for every profile and load of both runs, without controls. */
  public List<Judged> across(MeasuredRun before, MeasuredRun now) {
    return now.cells().stream()
        .filter(cell -> !cell.control() && before.has(cell.profile(), cell.load()))
        .map(
            cell ->
                judged(
                    cell.profile(),
                    cell.load(),
                    estimate(
                        before
                            .cell(cell.profile(), cell.load())
                            .map(other -> other.of(Metric.ERRORS))
                            .orElse(new double[0])),
                    estimate(cell.of(Metric.ERRORS))))
        .toList();
  }

  private Judged judged(String profile, Load load, Estimate before, Estimate now) {
    return new Judged(profile, load, limit, before, now, judge(now));
  }

  /** Returns the share of failed requests; {@code NaN} without valid trials. */
  public static Estimate errors(
      Experiment experiment, List<TrialResult> results, String profile, Load load) {
    return CellTrials.of(experiment, results).stream()
        .filter(cell -> cell.profile().equals(profile) && cell.load().equals(load))
        .map(cell -> estimate(cell.values(Metric.ERRORS)))
        .findFirst()
        .orElseThrow();
  }

  private static Estimate estimate(double[] shares) {
    return IntervalMethod.STUDENT.estimate(0.95, shares);
  }

  /** Compares the share with the limit; unclear without an interval. */
  public Outcome judge(Estimate errors) {
    if (errors.high() <= limit) {
      return Outcome.HOLDS;
    }
    return errors.low() > limit ? Outcome.BROKEN : Outcome.UNCLEAR;
  }
}
