package io.slicewise.analysis;

import io.slicewise.analysis.Comparison.Kind;
import io.slicewise.analysis.MeasuredRun.MeasuredCell;
import io.slicewise.stats.Effect;
import io.slicewise.stats.Equivalence;
import io.slicewise.stats.Holm;
import io.slicewise.stats.MannWhitney;
import io.slicewise.stats.Verdict;
import io.slicewise.stats.WelchEffect;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalInt;

/**
 * One run against another, each profile with itself at each load: Welch on logarithms, since two
 * nights share no block. Holm's family is every profile × load in the primary metric.
 *
 * <p>The trials of one night share that night: what differs between two nights and has nothing to
 * do with what was changed is inside the effect and not inside its interval.
 */
public final class AcrossRuns {
  private static final double CONFIDENCE = 0.95;

  private AcrossRuns() {}

  private record Pair(MeasuredCell before, MeasuredCell now, Metric metric, Kind kind) {
    Effect effect() {
      return WelchEffect.of(now.of(metric), before.of(metric));
    }

    boolean comparable() {
      return metric != Metric.ERRORS && positive(before.of(metric)) && positive(now.of(metric));
    }

    private static boolean positive(double[] values) {
      return values.length > 0 && Arrays.stream(values).allMatch(x -> x > 0);
    }
  }

  /** By load, profile and metric, of what both runs have; controls are left out. */
  public static List<Comparison> of(MeasuredRun before, MeasuredRun now, Question question) {
    List<Pair> pairs = new ArrayList<>();
    for (MeasuredCell cell : now.cells()) {
      for (Metric metric : Metric.values()) {
        Kind kind = metric == question.primary() ? Kind.PRIMARY : Kind.EXPLORATORY;
        before
            .cell(cell.profile(), cell.users())
            .filter(other -> !cell.control())
            .map(other -> new Pair(other, cell, metric, kind))
            .filter(Pair::comparable)
            .ifPresent(pairs::add);
      }
    }
    double[] adjusted =
        Holm.adjust(
            pairs.stream()
                .mapToDouble(
                    pair -> pair.kind == Kind.PRIMARY ? pair.effect().pValue() : Double.NaN)
                .toArray());
    int family = (int) pairs.stream().filter(pair -> pair.kind == Kind.PRIMARY).count();
    List<Comparison> comparisons = new ArrayList<>();
    for (int i = 0; i < adjusted.length; i++) {
      comparisons.add(comparison(pairs.get(i), adjusted[i], family, question));
    }
    return List.copyOf(comparisons);
  }

  private static Comparison comparison(Pair pair, double adjustedP, int family, Question question) {
    Effect effect = pair.effect();
    Verdict verdict = Verdict.of(effect, adjustedP, question.band(), pair.metric.moreIsBetter());
    return new Comparison(
        pair.now.profile(),
        pair.now.users(),
        pair.metric,
        pair.kind,
        false,
        mean(pair.now.of(pair.metric)),
        mean(pair.before.of(pair.metric)),
        effect,
        effect.percent(),
        effect.lowPercent(CONFIDENCE),
        effect.highPercent(CONFIDENCE),
        effect.pValue(),
        adjustedP,
        Equivalence.pValue(effect, question.band()),
        MannWhitney.of(pair.now.of(pair.metric), pair.before.of(pair.metric)).pValue(),
        verdict,
        verdict == Verdict.UNCLEAR
            ? Verdict.moreBlocks(
                effect, question.band(), pair.kind == Kind.PRIMARY ? Math.max(1, family) : 1)
            : OptionalInt.empty());
  }

  private static double mean(double[] values) {
    return Math.exp(Arrays.stream(values).map(Math::log).average().orElse(Double.NaN));
  }
}
