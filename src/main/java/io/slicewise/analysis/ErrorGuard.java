package io.slicewise.analysis;

import io.slicewise.analysis.Guard.Outcome;
import io.slicewise.experiment.Aim;
import io.slicewise.experiment.Experiment;
import io.slicewise.experiment.Load;
import io.slicewise.stats.Estimate;
import io.slicewise.stats.IntervalMethod;
import io.slicewise.sweep.TrialResult;
import java.util.List;
import java.util.Optional;

/**
 * The largest share of failed requests that a setting may have. A share, since a change of errors
 * from none has no ratio. It holds, is broken or unclear as {@link Guard} is, by the 95 % interval
 * over a cell's trials.
 *
 * @param limit 0..1
 */
public record ErrorGuard(double limit) {
  /** That of an experiment, if it has one. */
  public static Optional<ErrorGuard> of(Experiment experiment) {
    return Optional.ofNullable(experiment.aim().guard().get(Aim.ERRORS)).map(ErrorGuard::new);
  }

  /** The share of failed requests of a profile at a load; {@code NaN} where nothing is valid. */
  public static Estimate errors(
      Experiment experiment, List<TrialResult> results, String profile, Load load) {
    return CellTrials.of(experiment, results).stream()
        .filter(cell -> cell.profile().equals(profile) && cell.load().equals(load))
        .map(cell -> IntervalMethod.STUDENT.estimate(0.95, cell.values(Metric.ERRORS)))
        .findFirst()
        .orElseThrow();
  }

  /** How the share stands to the limit; unclear without an interval. */
  public Outcome judge(Estimate errors) {
    if (errors.high() <= limit) {
      return Outcome.HOLDS;
    }
    return errors.low() > limit ? Outcome.BROKEN : Outcome.UNCLEAR;
  }
}
