package io.slicewise.evidence.runs;

import io.slicewise.evidence.analysis.Basis;
import io.slicewise.evidence.analysis.Comparison;
import io.slicewise.evidence.analysis.Comparison.Kind;
import io.slicewise.evidence.analysis.MeasuredRun;
import io.slicewise.evidence.analysis.MeasuredRun.MeasuredCell;
import io.slicewise.evidence.analysis.Metric;
import io.slicewise.evidence.analysis.Pairing;
import io.slicewise.evidence.analysis.Question;
import io.slicewise.evidence.analysis.TrialEffects;
import java.util.ArrayList;
import java.util.List;

/**
 * Compares each profile of a run with the same profile of another run, at each load: Welch's test
 * on logarithms, since two runs share no block. Holm's family is every profile × load in the
 * primary metric.
 *
 * <p>The trials of a run share its night: differences between nights that have nothing to do with
 * the change are part of the effect but not of its interval.
 */
public final class AcrossRuns {
  private AcrossRuns() {}

  /**
   * Returns comparisons by load, profile and metric for cells of both runs; controls are left out.
   */
  public static List<Comparison> of(MeasuredRun before, MeasuredRun now, Question question) {
    List<Pairing> pairs = new ArrayList<>();
    for (MeasuredCell cell : now.cells()) {
      for (Metric known : cell.values().keySet()) {
        boolean primary = known.equals(question.primary());
        Metric metric = primary ? question.primary() : known;
        Kind kind = primary ? Kind.PRIMARY : Kind.EXPLORATORY;
        before
            .cell(cell.profile(), cell.load())
            .filter(other -> !cell.control())
            .flatMap(
                other ->
                    TrialEffects.across(cell.of(metric), other.of(metric), metric, Basis.TRIALS))
            .map(
                contrast ->
                    new Pairing(
                        cell.profile(),
                        cell.load(),
                        metric,
                        kind,
                        contrast,
                        Math.min(before.conditions().seconds(), now.conditions().seconds())))
            .ifPresent(pairs::add);
      }
    }
    int family = (int) pairs.stream().filter(Pairing::isPrimary).count();
    return Pairing.judged(pairs, family, question);
  }
}
