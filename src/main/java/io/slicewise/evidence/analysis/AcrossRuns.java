package io.slicewise.evidence.analysis;

import io.slicewise.evidence.analysis.Comparison.Kind;
import io.slicewise.evidence.analysis.MeasuredRun.MeasuredCell;
import java.util.ArrayList;
import java.util.List;

/**
 * One run against another, each profile with itself at each load: Welch on logarithms, since two
 * nights share no block. Holm's family is every profile × load in the primary metric.
 *
 * <p>The trials of one night share that night: what differs between two nights and has nothing to
 * do with what was changed is inside the effect and not inside its interval.
 */
public final class AcrossRuns {
  private AcrossRuns() {}

  /** By load, profile and metric, of what both runs have; controls are left out. */
  public static List<Comparison> of(MeasuredRun before, MeasuredRun now, Question question) {
    List<Pairing> pairs = new ArrayList<>();
    for (MeasuredCell cell : now.cells()) {
      for (Metric metric : Metric.values()) {
        Kind kind = metric == question.primary() ? Kind.PRIMARY : Kind.EXPLORATORY;
        before
            .cell(cell.profile(), cell.load())
            .filter(other -> !cell.control())
            .map(
                other ->
                    new Pairing(
                        cell.profile(),
                        cell.load(),
                        metric,
                        kind,
                        false,
                        cell.of(metric),
                        other.of(metric),
                        Math.min(before.conditions().seconds(), now.conditions().seconds())))
            .filter(Pairing::comparable)
            .ifPresent(pairs::add);
      }
    }
    int family = (int) pairs.stream().filter(Pairing::isPrimary).count();
    return Pairing.judged(pairs, family, question);
  }
}
