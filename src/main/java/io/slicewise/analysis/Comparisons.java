package io.slicewise.analysis;

import io.slicewise.analysis.Comparison.Kind;
import io.slicewise.experiment.Experiment;
import io.slicewise.profile.SchedulerProfile;
import io.slicewise.stats.BlockedEffect;
import io.slicewise.stats.Effect;
import io.slicewise.stats.Equivalence;
import io.slicewise.stats.Holm;
import io.slicewise.stats.MannWhitney;
import io.slicewise.stats.Verdict;
import io.slicewise.stats.WelchEffect;
import io.slicewise.sweep.TrialResult;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalInt;

/**
 * Every profile against the baseline, by load and metric. Within blocks where the order was made of
 * blocks (only blocks in which both have a valid trial), across trials otherwise. Holm's family is
 * every profile × every load in the primary metric: all that a reader may take for the winner.
 */
public final class Comparisons {
  private static final double CONFIDENCE = 0.95;

  private final Experiment experiment;
  private final Question question;
  private final List<CellTrials> cells;

  private Comparisons(Experiment experiment, List<TrialResult> results, Question question) {
    this.experiment = experiment;
    this.question = question;
    this.cells = CellTrials.of(experiment, results);
  }

  /**
   * By load, then profile in the experiment's order, then metric; what cannot be compared is left
   * out.
   */
  public static List<Comparison> of(
      Experiment experiment, List<TrialResult> results, Question question) {
    return new Comparisons(experiment, results, question).all();
  }

  /** How many comparisons Holm's family has; what a design's power depends on. */
  public static int familySize(Experiment experiment) {
    long profiles =
        experiment.profiles().stream()
            .filter(profile -> !profile.name().equals(experiment.baseline()))
            .filter(profile -> !isControl(experiment, profile.name()))
            .count();
    return Math.toIntExact(profiles * experiment.users().size());
  }

  /** Whether a profile is the baseline once more under another name, for A/A. */
  public static boolean isControl(Experiment experiment, String name) {
    SchedulerProfile baseline = profile(experiment, experiment.baseline());
    SchedulerProfile other = profile(experiment, name);
    return !name.equals(experiment.baseline())
        && other.scheduler().equals(baseline.scheduler())
        && other.byRole().equals(baseline.byRole())
        && other.byDomain().equals(baseline.byDomain());
  }

  private static SchedulerProfile profile(Experiment experiment, String name) {
    return experiment.profiles().stream()
        .filter(profile -> profile.name().equals(name))
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException("no profile is called " + name));
  }

  private List<Comparison> all() {
    List<Pair> pairs = new ArrayList<>();
    for (CellTrials cell : cells) {
      if (!cell.profile().equals(experiment.baseline())) {
        for (Metric metric : Metric.values()) {
          Pair pair = pair(cell, metric);
          if (pair.comparable()) {
            pairs.add(pair);
          }
        }
      }
    }
    double[] adjusted =
        Holm.adjust(
            pairs.stream()
                .mapToDouble(
                    pair -> pair.kind == Kind.PRIMARY ? pair.effect().pValue() : Double.NaN)
                .toArray());
    List<Comparison> comparisons = new ArrayList<>();
    for (int i = 0; i < adjusted.length; i++) {
      comparisons.add(comparison(pairs.get(i), adjusted[i]));
    }
    return comparisons;
  }

  private Pair pair(CellTrials cell, Metric metric) {
    CellTrials baseline =
        cells.stream()
            .filter(other -> other.users() == cell.users())
            .filter(other -> other.profile().equals(experiment.baseline()))
            .findFirst()
            .orElseThrow();
    Kind kind =
        isControl(experiment, cell.profile())
            ? Kind.CONTROL
            : metric == question.primary() ? Kind.PRIMARY : Kind.EXPLORATORY;
    boolean blocked = experiment.order() == Experiment.Order.BLOCKS;
    return new Pair(cell, baseline, metric, kind, blocked);
  }

  private Comparison comparison(Pair pair, double adjustedP) {
    Effect effect = pair.effect();
    Verdict verdict = Verdict.of(effect, adjustedP, question.band(), pair.metric.moreIsBetter());
    int family = pair.kind == Kind.PRIMARY ? Math.max(1, familySize(experiment)) : 1;
    return new Comparison(
        pair.cell.profile(),
        pair.cell.users(),
        pair.metric,
        pair.kind,
        pair.blocked,
        mean(pair.values(pair.cell)),
        mean(pair.values(pair.baseline)),
        effect,
        effect.percent(),
        effect.lowPercent(CONFIDENCE),
        effect.highPercent(CONFIDENCE),
        effect.pValue(),
        adjustedP,
        Equivalence.pValue(effect, question.band()),
        pair.rankP(),
        verdict,
        verdict == Verdict.UNCLEAR
            ? Verdict.moreBlocks(effect, question.band(), family)
            : OptionalInt.empty());
  }

  private static double mean(double[] values) {
    return Math.exp(Arrays.stream(values).map(Math::log).average().orElse(Double.NaN));
  }

  /** Two cells that are compared in one metric. */
  private record Pair(
      CellTrials cell, CellTrials baseline, Metric metric, Kind kind, boolean blocked) {
    /** A ratio needs positive values on both sides: errors, which may be 0, have none. */
    boolean comparable() {
      return metric != Metric.ERRORS
          && values(cell).length > 0
          && values(baseline).length > 0
          && Arrays.stream(values(cell)).allMatch(x -> x > 0)
          && Arrays.stream(values(baseline)).allMatch(x -> x > 0);
    }

    Effect effect() {
      return blocked
          ? BlockedEffect.of(values(cell), values(baseline))
          : WelchEffect.of(values(cell), values(baseline));
    }

    double rankP() {
      return blocked ? Double.NaN : MannWhitney.of(values(cell), values(baseline)).pValue();
    }

    private double[] values(CellTrials side) {
      if (!blocked) {
        return side.values(metric);
      }
      return cell.blocks(metric).stream()
          .filter(baseline.blocks(metric)::contains)
          .mapToDouble(block -> side.inBlock(block, metric))
          .toArray();
    }
  }
}
