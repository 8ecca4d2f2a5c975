package io.slicewise.evidence.analysis;

import io.slicewise.evidence.analysis.Comparison.Kind;
import io.slicewise.experiment.Aim;
import io.slicewise.experiment.Experiment;
import java.util.List;

/**
 * A metric that must not get worse by more than is allowed, whatever the primary one gains. It
 * holds when the whole 95 % interval stays within what is allowed, is broken when the whole
 * interval lies beyond, and is unclear otherwise: a non-inferiority test at the interval's level.
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

  /** Those of an experiment that bound a change; its bound on errors is {@link ErrorGuard}'s. */
  public static List<Guard> of(Experiment experiment) {
    return experiment.aim().guard().entrySet().stream()
        .filter(guard -> !guard.getKey().equals(Aim.ERRORS))
        .map(guard -> new Guard(Metric.of(guard.getKey()), guard.getValue()))
        .toList();
  }

  /** How a guard came out. */
  public enum Outcome {
    HOLDS,
    BROKEN,
    UNCLEAR
  }

  /** Whether the comparison is this guard's to judge. */
  public boolean concerns(Comparison comparison) {
    return comparison.metric() == metric && comparison.kind() != Kind.CONTROL;
  }

  /** The outcome for a comparison that it concerns. */
  public Outcome judge(Comparison comparison) {
    double worst = metric.moreIsBetter() ? -comparison.low() : comparison.high();
    double best = metric.moreIsBetter() ? -comparison.high() : comparison.low();
    if (worst <= 100 * allowed) {
      return Outcome.HOLDS;
    }
    return best > 100 * allowed ? Outcome.BROKEN : Outcome.UNCLEAR;
  }
}
