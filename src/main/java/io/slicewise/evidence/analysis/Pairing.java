package io.slicewise.evidence.analysis;

import io.slicewise.evidence.analysis.Comparison.Kind;
import io.slicewise.experiment.Load;
import io.slicewise.stats.Band;
import io.slicewise.stats.BlockedEffect;
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

/** Two cells compared in one metric; with blocks, the values are in block order. */
final class Pairing {
  private static final double CONFIDENCE = 0.95;

  private final String profile;
  private final Load load;
  private final Metric metric;
  private final Kind kind;
  private final boolean blocked;
  private final double[] now;
  private final double[] before;
  private final double resolution;

  /**
   * Two cells.
   *
   * @param seconds how long a trial's window is: what one request more changes of a rate
   */
  Pairing(
      String profile,
      Load load,
      Metric metric,
      Kind kind,
      boolean blocked,
      double[] now,
      double[] before,
      double seconds) {
    this.profile = profile;
    this.load = load;
    this.metric = metric;
    this.kind = kind;
    this.blocked = blocked;
    this.now = now.clone();
    this.before = before.clone();
    this.resolution = metric.resolution(seconds);
  }

  /**
   * Pairs a cell with its reference.
   *
   * @param blocked whether to use only blocks in which both have a valid trial
   */
  static Pairing of(CellTrials cell, CellTrials before, Metric metric, Kind kind, boolean blocked) {
    return new Pairing(
        cell.profile(),
        cell.load(),
        metric,
        kind,
        blocked,
        values(cell, cell, before, metric, blocked),
        values(before, cell, before, metric, blocked),
        Math.min(cell.shortestWindow(), before.shortestWindow()));
  }

  private static double[] values(
      CellTrials side, CellTrials cell, CellTrials before, Metric metric, boolean blocked) {
    if (!blocked) {
      return side.values(metric);
    }
    return cell.blocks(metric).stream()
        .filter(before.blocks(metric)::contains)
        .mapToDouble(block -> side.inBlock(block, metric))
        .toArray();
  }

  boolean isPrimary() {
    return kind == Kind.PRIMARY;
  }

  /** Returns whether all values are positive, as a ratio requires; errors may be 0. */
  boolean comparable() {
    return metric != Metric.ERRORS && positive(now) && positive(before);
  }

  private static boolean positive(double[] values) {
    return values.length > 0 && Arrays.stream(values).allMatch(x -> x > 0);
  }

  /**
   * Returns the verdicts in the given order.
   *
   * @param family size of Holm's family in the primary metric
   */
  static List<Comparison> judged(List<Pairing> pairs, int family, Question question) {
    double[] adjusted =
        Holm.adjust(
            pairs.stream().mapToDouble(pair -> pair.isPrimary() ? pair.p() : Double.NaN).toArray());
    List<Comparison> comparisons = new ArrayList<>();
    for (int i = 0; i < adjusted.length; i++) {
      comparisons.add(pairs.get(i).judged(adjusted[i], family, question));
    }
    return List.copyOf(comparisons);
  }

  private Effect effect() {
    return blocked ? BlockedEffect.of(now, before) : WelchEffect.of(now, before);
  }

  /**
   * How far a change, on logarithms, may lie off what the metric's resolution shows of it: whole
   * milliseconds, or whole requests in a window. Where the trials scatter by more than that, their
   * mean is finer; where a side's percentiles, or both sides' rates or means, are all the same, it
   * is not.
   */
  private double unseen() {
    boolean coarse =
        metric.isPercentile()
            ? metric.isCoarse(now) || metric.isCoarse(before)
            : metric.isCoarse(now) && metric.isCoarse(before);
    return coarse ? Math.log1p(resolution / Math.min(mean(now), mean(before))) : 0;
  }

  private Comparison judged(double adjustedP, int family, Question question) {
    Effect effect = effect();
    double unseen = unseen();
    Effect least = effect.moved(-unseen);
    Effect most = effect.moved(unseen);
    Verdict verdict = verdict(least, most, adjustedP, question.band());
    return new Comparison(
        profile,
        load,
        metric,
        kind,
        blocked,
        mean(now),
        mean(before),
        unseen > 0,
        effect,
        effect.percent(),
        least.lowPercent(CONFIDENCE),
        most.highPercent(CONFIDENCE),
        p(),
        adjustedP,
        Math.max(
            Equivalence.pValue(least, question.band()), Equivalence.pValue(most, question.band())),
        blocked ? Double.NaN : MannWhitney.of(now, before).pValue(),
        verdict,
        verdict == Verdict.UNCLEAR && unseen == 0
            ? Verdict.moreBlocks(effect, question.band(), isPrimary() ? Math.max(1, family) : 1)
            : OptionalInt.empty());
  }

  /**
   * Of "no change": 1 where a change would not be seen, and never 0: trials that agree scatter
   * evenly within the resolution, whose deviation is its width divided by √12.
   */
  private double p() {
    Effect effect = effect();
    double unseen = unseen();
    double hidden = unseen / Math.sqrt(12.0 * effect.n());
    double moved = Math.min(unseen, Math.abs(effect.logRatio()));
    return effect
        .moved(effect.logRatio() > 0 ? -moved : moved)
        .withStandardErrorOfAtLeast(hidden)
        .pValue();
  }

  /** Returns the verdict that is valid for every change within the resolution. */
  private Verdict verdict(Effect least, Effect most, double adjustedP, Band band) {
    Verdict verdict = Verdict.of(least, adjustedP, band, metric.moreIsBetter());
    return verdict == Verdict.of(most, adjustedP, band, metric.moreIsBetter())
        ? verdict
        : Verdict.UNCLEAR;
  }

  private static double mean(double[] values) {
    return Math.exp(Arrays.stream(values).map(Math::log).average().orElse(Double.NaN));
  }
}
