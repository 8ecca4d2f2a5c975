package io.slicewise.evidence.analysis;

import io.slicewise.evidence.analysis.Comparison.Kind;
import io.slicewise.experiment.Experiment;
import io.slicewise.experiment.goal.Aim;
import io.slicewise.stats.Effect.Change;
import java.util.List;

/**
 * A limit on how much a metric may get worse. It is met if the whole 95 % interval is within the
 * limit, broken if the whole interval is beyond it, and unclear otherwise: a non-inferiority test
 * at the interval's level.
 *
 * <p>Source: E. Lesaffre, <i>Superiority, equivalence, and non-inferiority trials</i>, Bulletin of
 * the NYU Hospital for Joint Diseases 66 (2008).
 *
 * @param allowed the worst change allowed, as a share: 0.05 = 5 % worse
 */
public record Guard(Metric metric, double allowed) {
  public Guard {
    if (!(allowed >= 0 && allowed < 1)) {
      throw new IllegalArgumentException("a guard allows 0 to 100 %, not " + allowed);
    }
  }

  /** Returns the guards of an experiment, except the one on errors ({@link ErrorGuard}). */
  public static List<Guard> of(Experiment experiment) {
    return experiment.aim().guard().entrySet().stream()
        .filter(guard -> !guard.getKey().equals(Aim.ERRORS))
        .map(guard -> new Guard(Metric.of(guard.getKey()), guard.getValue()))
        .toList();
  }

  /** The outcome of a guard. */
  public enum Outcome {
    HOLDS,
    BROKEN,
    UNCLEAR
  }

  /** Returns whether the guard applies to the comparison. */
  public boolean concerns(Comparison comparison) {
    return comparison.metric().equals(metric) && comparison.kind() != Kind.CONTROL;
  }

  /** Returns the outcome for a comparison to which the guard applies. */
  public Outcome judge(Comparison comparison) {
    Change change = comparison.change();
    double worst = metric.moreIsBetter() ? -change.low() : change.high();
    double best = metric.moreIsBetter() ? -change.high() : change.low();
    if (worst <= 100 * allowed) {
      return Outcome.HOLDS;
    }
    return best > 100 * allowed ? Outcome.BROKEN : Outcome.UNCLEAR;
  }
}
