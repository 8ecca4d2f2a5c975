package io.slicewise.evidence.analysis;

import io.slicewise.evidence.analysis.Comparison.Kind;
import io.slicewise.evidence.analysis.Comparison.Means;
import io.slicewise.evidence.analysis.Comparison.Tests;
import io.slicewise.experiment.load.Load;
import io.slicewise.stats.Band;
import io.slicewise.stats.CoinBets;
import io.slicewise.stats.Effect;
import io.slicewise.stats.Equivalence;
import io.slicewise.stats.Holm;
import io.slicewise.stats.MannWhitney;
import io.slicewise.stats.Verdict;
import io.slicewise.stats.power.CoinPower;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.ToDoubleFunction;

/** Two cells to be compared in one metric, before the verdict. */
public final class Pairing {
  private static final double CONFIDENCE = 0.95;
  private static final double LEVEL = 0.05;

  private final String profile;
  private final Load load;
  private final Metric metric;
  private final Kind kind;
  private final Contrast contrast;
  private final Effect effect;
  private final double resolution;

  /**
   * Creates a pair.
   *
   * @param seconds the length of a trial's window, which determines the effect of one more request
   *     on a rate
   */
  public Pairing(
      String profile, Load load, Metric metric, Kind kind, Contrast contrast, double seconds) {
    this.profile = profile;
    this.load = load;
    this.metric = metric;
    this.kind = kind;
    this.contrast = contrast;
    this.effect = contrast.effect();
    this.resolution = metric.resolution(seconds);
  }

  /** Pairs a cell with its reference; empty if values have no ratio. */
  public static Optional<Pairing> of(
      EffectMethod method, CellTrials cell, CellTrials before, Metric metric, Kind kind) {
    return method
        .contrast(cell, before, metric)
        .map(
            contrast ->
                new Pairing(
                    cell.profile(),
                    cell.load(),
                    metric,
                    kind,
                    contrast,
                    Math.min(cell.shortestWindow(), before.shortestWindow())));
  }

  public boolean isPrimary() {
    return kind == Kind.PRIMARY;
  }

  /**
   * Returns the verdicts in the given order.
   *
   * @param family size of Holm's family in the primary metric
   */
  public static List<Comparison> judged(List<Pairing> pairs, int family, Question question) {
    if (pairs.stream().anyMatch(pair -> pair.contrast.exact().isPresent())) {
      return pairs.stream().map(pair -> pair.exact(family, question)).toList();
    }
    double[] changed = adjusted(pairs, Pairing::p);
    double[] same = adjusted(pairs, pair -> pair.equivalenceP(question.band()));
    List<Comparison> comparisons = new ArrayList<>();
    for (int i = 0; i < pairs.size(); i++) {
      comparisons.add(pairs.get(i).judged(changed[i], same[i], family, question));
    }
    return List.copyOf(comparisons);
  }

  private static double[] adjusted(List<Pairing> pairs, ToDoubleFunction<Pairing> p) {
    return Holm.adjust(
        pairs.stream()
            .mapToDouble(pair -> pair.isPrimary() ? p.applyAsDouble(pair) : Double.NaN)
            .toArray());
  }

  /**
   * Returns the largest part of a change, on logarithms, that the metric's resolution can hide:
   * whole milliseconds, or whole requests in a window. If trials vary by more than that, their mean
   * is finer. If all percentiles of a side are equal, or all rates or means of both sides, it is
   * not.
   */
  private double unseen() {
    boolean coarse =
        metric.percentile().isPresent()
            ? metric.isCoarse(contrast.now()) || metric.isCoarse(contrast.before())
            : metric.isCoarse(contrast.now()) && metric.isCoarse(contrast.before());
    return coarse
        ? Math.log1p(resolution / Math.min(mean(contrast.now()), mean(contrast.before())))
        : 0;
  }

  /** Returns the comparison of pairs, whose interval and p are valid at every look. */
  private Comparison exact(int family, Question question) {
    CoinBets bets = contrast.exact().orElseThrow();
    Band band = question.band();
    double p = bets.p(0);
    double same = Math.max(1 / bets.mostAbove(band.low()), 1 / bets.mostBelow(band.high()));
    double adjusted = isPrimary() ? Math.min(1, p * Math.max(1, family)) : Double.NaN;
    double adjustedSame = isPrimary() ? Math.min(1, same * Math.max(1, family)) : Double.NaN;
    Verdict verdict = Verdict.of(bets, band, metric.moreIsBetter());
    return new Comparison(
        profile,
        load,
        metric,
        kind,
        means(false),
        new Effect.Change(effect.percent(), percent(bets.low()), percent(bets.high())),
        new Tests(p, adjusted, same, adjustedSame, Double.NaN),
        verdict,
        verdict == Verdict.UNCLEAR && isPrimary() ? more(bets, family) : OptionalInt.empty());
  }

  /** Returns an end of an interval in percent; {@code NaN} while it is open. */
  private static double percent(double end) {
    return Double.isFinite(end) ? 100 * Math.expm1(end) : Double.NaN;
  }

  private OptionalInt more(CoinBets bets, int family) {
    if (bets.n() < 2) {
      return OptionalInt.empty();
    }
    double[] pairs = contrast.now();
    Arrays.setAll(pairs, b -> Math.log(contrast.now()[b] / contrast.before()[b]));
    OptionalInt needed =
        new CoinPower(LEVEL / Math.max(1, family), pairs)
            .pairs(Math.expm1(Math.abs(bets.estimate())));
    return needed.isPresent()
        ? OptionalInt.of(Math.max(1, needed.getAsInt() - bets.n()))
        : OptionalInt.empty();
  }

  private Comparison judged(
      double adjustedP, double adjustedEquivalenceP, int family, Question question) {
    double unseen = unseen();
    Effect least = effect.moved(-unseen);
    Effect most = effect.moved(unseen);
    double equivalenceP = equivalenceP(question.band());
    Verdict verdict =
        verdict(adjustedP, isPrimary() ? adjustedEquivalenceP : equivalenceP, question.band());
    return new Comparison(
        profile,
        load,
        metric,
        kind,
        means(unseen > 0),
        new Effect.Change(
            effect.percent(), least.lowPercent(CONFIDENCE), most.highPercent(CONFIDENCE)),
        new Tests(p(), adjustedP, equivalenceP, adjustedEquivalenceP, rankP()),
        verdict,
        verdict == Verdict.UNCLEAR && unseen == 0
            ? more(question.band(), isPrimary() ? Math.max(1, family) : 1)
            : OptionalInt.empty());
  }

  private Means means(boolean coarse) {
    return new Means(contrast.basis(), now(), mean(contrast.before()), coarse, effect);
  }

  /** Returns the p of the rank test; {@code NaN} in blocks and where no p below 5 % is possible. */
  private double rankP() {
    double least = MannWhitney.leastP(contrast.now().length, contrast.before().length);
    return contrast.basis().isBlocked() || !(least < LEVEL)
        ? Double.NaN
        : MannWhitney.of(contrast.now(), contrast.before()).pValue();
  }

  private OptionalInt more(Band band, int family) {
    OptionalInt more = Verdict.moreBlocks(effect, band, family);
    return more.isPresent()
        ? OptionalInt.of(more.getAsInt() * contrast.blocksEach())
        : OptionalInt.empty();
  }

  /** Returns the geometric mean; for windows, the one whose ratio is the effect. */
  private double now() {
    return contrast.basis().isSwitched() && contrast.basis() != Basis.SEPARATE_SESSIONS
        ? mean(contrast.before()) * Math.exp(effect.logRatio())
        : mean(contrast.now());
  }

  /**
   * Returns the p-value of "no change": 1 if a change would be invisible, and never 0. Trials that
   * agree are uniformly distributed within the resolution, whose deviation is its width divided by
   * √12.
   */
  private double p() {
    double unseen = unseen();
    double hidden = unseen / Math.sqrt(12.0 * effect.n());
    double moved = Math.min(unseen, Math.abs(effect.logRatio()));
    return effect
        .moved(effect.logRatio() > 0 ? -moved : moved)
        .withStandardErrorOfAtLeast(hidden)
        .pValue();
  }

  /** Returns the p-value of "outside the band" that is valid for every change that is unseen. */
  private double equivalenceP(Band band) {
    return Math.max(
        Equivalence.pValue(effect.moved(-unseen()), band),
        Equivalence.pValue(effect.moved(unseen()), band));
  }

  /** Returns the verdict that is valid for every change within the resolution. */
  private Verdict verdict(double adjustedP, double equivalenceP, Band band) {
    boolean more = metric.moreIsBetter();
    Verdict least = Verdict.of(effect.moved(-unseen()), adjustedP, equivalenceP, band, more);
    Verdict most = Verdict.of(effect.moved(unseen()), adjustedP, equivalenceP, band, more);
    return least == most ? least : Verdict.UNCLEAR;
  }

  private static double mean(double[] values) {
    return Math.exp(Arrays.stream(values).map(Math::log).average().orElse(Double.NaN));
  }
}
