package io.slicewise.evidence.effects;

import com.fasterxml.jackson.annotation.JsonIgnore;
import io.slicewise.base.units.Phrase;
import io.slicewise.base.units.Plural;
import io.slicewise.evidence.analysis.LoadLayout;
import io.slicewise.evidence.analysis.Metric;
import io.slicewise.evidence.analysis.Question;
import io.slicewise.evidence.effects.FactorEffect.Grade;
import io.slicewise.evidence.effects.FactorEffect.Name;
import io.slicewise.experiment.Experiment;
import io.slicewise.experiment.factors.Factors;
import io.slicewise.experiment.factors.Factors.Factor;
import io.slicewise.experiment.load.Load;
import io.slicewise.run.result.TrialResult;
import io.slicewise.stats.Effect;
import io.slicewise.stats.Holm;
import io.slicewise.stats.factorial.ContrastEffect;
import io.slicewise.stats.factorial.Factorial.Contrast;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * The effects of the factors of a run: all main effects and interactions of two factors, by load,
 * in the primary metric and in those of the guards.
 *
 * @param all by metric and load, main effects first
 * @param means of the cells in the primary metric, by load
 * @param gaps what is not used of the measurements, and why, as phrases
 */
public record FactorEffects(
    Factors factors,
    Metric primary,
    List<FactorEffect> all,
    @JsonIgnore List<CellMeans> means,
    List<String> gaps) {
  public FactorEffects {
    all = List.copyOf(all);
    means = List.copyOf(means);
    gaps = List.copyOf(gaps);
  }

  /** Geometric means of the cells at a load, in their order. */
  public record CellMeans(Load load, List<Double> values) {
    public CellMeans {
      values = List.copyOf(values);
    }
  }

  /**
   * Geometric means of two factors' levels.
   *
   * @param means by level of the first factor, then of the second
   */
  public record LevelMeans(
      Load load,
      String first,
      List<String> firstLevels,
      String second,
      List<String> secondLevels,
      List<List<Double>> means) {}

  /** Returns the effects; empty without factors, or before a load has values of all cells. */
  public static Optional<FactorEffects> of(
      Experiment experiment, List<TrialResult> results, Question question) {
    return experiment
        .factors()
        .map(factors -> of(experiment, results, question, factors))
        .filter(effects -> !effects.all().isEmpty());
  }

  private static FactorEffects of(
      Experiment experiment, List<TrialResult> results, Question question, Factors factors) {
    Set<Metric> metrics = new LinkedHashSet<>(List.of(question.primary()));
    experiment.aim().guard().keySet().stream().map(Metric::of).forEach(metrics::add);
    metrics.remove(Metric.ERRORS);
    List<FactorEffect> all = new ArrayList<>();
    List<CellMeans> means = new ArrayList<>();
    List<String> gaps = new ArrayList<>();
    for (Metric metric : metrics) {
      List<LoadLayout> some =
          LoadLayout.of(experiment, results, metric, factors.profiles()::contains);
      List<LoadLayout> layouts =
          some.stream()
              .filter(layout -> layout.profiles().size() == factors.cells().size())
              .toList();
      List<FactorEffect> its =
          layouts.stream().flatMap(layout -> effects(layout, factors, metric).stream()).toList();
      if (metric.equals(question.primary())) {
        all.addAll(adjusted(its));
        layouts.forEach(layout -> means.add(means(layout, factors)));
        gaps.addAll(gaps(results, layouts));
      } else {
        all.addAll(its);
      }
    }
    return new FactorEffects(factors, question.primary(), all, means, gaps);
  }

  /** Describes loads without effects, and blocks that are left out. */
  private static List<String> gaps(List<TrialResult> results, List<LoadLayout> layouts) {
    List<String> gaps = new ArrayList<>();
    List<Load> known = layouts.stream().map(LoadLayout::load).toList();
    List<String> lacking =
        results.stream()
            .map(result -> result.trial().load())
            .distinct()
            .filter(load -> !known.contains(load))
            .map(Load::toString)
            .toList();
    if (!lacking.isEmpty()) {
      gaps.add(
          "no effects at %s: a combination has no trial there that counts"
              .formatted(String.join(", ", lacking)));
    }
    for (LoadLayout layout : layouts) {
      if (!layout.incomplete().isEmpty()) {
        gaps.add(
            "%s not used%s: a combination has no trial there that counts"
                .formatted(Plural.of(layout.incomplete().size(), "block"), layout.load().at()));
      }
    }
    return gaps;
  }

  private static CellMeans means(LoadLayout layout, Factors factors) {
    return new CellMeans(
        layout.load(),
        factors.profiles().stream()
            .map(profile -> layout.logs().get(layout.profiles().indexOf(profile)))
            .map(logs -> Math.exp(Arrays.stream(logs).average().orElse(Double.NaN)))
            .toList());
  }

  private static List<FactorEffect> effects(LoadLayout layout, Factors factors, Metric metric) {
    List<double[]> logs =
        factors.profiles().stream()
            .map(layout.profiles()::indexOf)
            .map(layout.logs()::get)
            .toList();
    List<Double> least =
        factors.profiles().stream()
            .map(layout.profiles()::indexOf)
            .map(layout.least()::get)
            .toList();
    return factors.contrasts().stream()
        .map(
            contrast ->
                new FactorEffect(
                    layout.load(),
                    metric,
                    name(factors, contrast),
                    layout.basis(),
                    effect(contrast, layout.basis().isBlocked(), logs, least),
                    Double.NaN))
        .toList();
  }

  private static Name name(Factors factors, Contrast contrast) {
    return new Name(
        factors.name(contrast.term()),
        factors.levels(contrast.term()),
        !contrast.term().isMain(),
        factors.names(contrast));
  }

  private static Effect effect(
      Contrast contrast, boolean blocked, List<double[]> logs, List<Double> least) {
    List<Double> weights = contrast.weights();
    Effect effect =
        blocked ? ContrastEffect.blocked(weights, logs) : ContrastEffect.independent(weights, logs);
    double unseen =
        IntStream.range(0, logs.size())
            .mapToDouble(
                cell -> Math.pow(weights.get(cell) * least.get(cell), 2) / logs.get(cell).length)
            .sum();
    return effect.withStandardErrorOfAtLeast(Math.sqrt(unseen));
  }

  private static List<FactorEffect> adjusted(List<FactorEffect> effects) {
    double[] adjusted = Holm.adjust(effects.stream().mapToDouble(FactorEffect::p).toArray());
    return IntStream.range(0, adjusted.length)
        .mapToObj(i -> effects.get(i).adjusted(adjusted[i]))
        .toList();
  }

  /** Returns the effects in the primary metric. */
  public List<FactorEffect> primaries() {
    return all.stream().filter(effect -> effect.metric().equals(primary)).toList();
  }

  /** Returns the means of each two factors that are shown to interact at a load. */
  public List<LevelMeans> interacting() {
    List<LevelMeans> pairs = new ArrayList<>();
    for (Contrast contrast : factors.contrasts()) {
      List<Integer> two = contrast.term().factors();
      String name = factors.name(contrast.term());
      for (CellMeans at : means) {
        boolean known =
            pairs.stream()
                .anyMatch(
                    pair ->
                        pair.load().equals(at.load())
                            && name.equals(pair.first() + " x " + pair.second()));
        if (!contrast.term().isMain() && !known && isShown(name, at.load())) {
          pairs.add(levelMeans(two.get(0), two.get(1), at));
        }
      }
    }
    return List.copyOf(pairs);
  }

  private boolean isShown(String name, Load load) {
    return primaries().stream()
        .filter(effect -> effect.load().equals(load) && effect.name().factor().equals(name))
        .anyMatch(effect -> effect.grade() == Grade.SHOWN);
  }

  private LevelMeans levelMeans(int one, int other, CellMeans at) {
    Factor first = factors.factors().get(one);
    Factor second = factors.factors().get(other);
    List<List<Double>> rows = new ArrayList<>();
    for (int level = 0; level < first.levels().size(); level++) {
      List<Double> row = new ArrayList<>();
      for (int its = 0; its < second.levels().size(); its++) {
        row.add(mean(at, Map.of(one, level, other, its)));
      }
      rows.add(List.copyOf(row));
    }
    return new LevelMeans(
        at.load(), first.name(), first.levels(), second.name(), second.levels(), rows);
  }

  private double mean(CellMeans at, Map<Integer, Integer> chosen) {
    return Math.exp(
        IntStream.range(0, factors.cells().size())
            .filter(
                cell ->
                    chosen.entrySet().stream()
                        .allMatch(
                            level ->
                                factors
                                    .cells()
                                    .get(cell)
                                    .levels()
                                    .get(level.getKey())
                                    .equals(level.getValue())))
            .mapToDouble(cell -> Math.log(at.values().get(cell)))
            .average()
            .orElse(Double.NaN));
  }

  /** Returns which factor matters most and how much; empty if none is shown to. */
  public Optional<String> headline() {
    List<FactorEffect> mains = shown(false);
    return mains.isEmpty() ? Optional.empty() : Optional.of(largest(mains));
  }

  private String largest(List<FactorEffect> mains) {
    String first = mains.get(0).name().factor();
    List<FactorEffect> others =
        mains.stream().filter(one -> !one.name().factor().equals(first)).toList();
    return "%s matters most in %s: %s%s"
        .formatted(
            first,
            primary.key(),
            text(mains.get(0)),
            others.isEmpty() ? "" : "; then " + text(others.get(0)));
  }

  private List<FactorEffect> shown(boolean interaction) {
    return primaries().stream()
        .filter(effect -> effect.grade() == Grade.SHOWN)
        .filter(effect -> effect.name().interaction() == interaction)
        .sorted(Comparator.comparingDouble(effect -> -Math.abs(effect.effect().logRatio())))
        .toList();
  }

  /** Returns what is shown of each factor, the largest effect first, and what limits it. */
  public List<String> sentences() {
    List<String> sentences = new ArrayList<>();
    List<FactorEffect> mains = shown(false);
    List<FactorEffect> together = shown(true);
    if (tested() > 0) {
      sentences.add(
          mains.isEmpty()
              ? "no main effect of a factor is shown in " + primary.key()
              : "%s matters most in %s: ".formatted(mains.get(0).name().factor(), primary.key())
                  + mains.stream().map(FactorEffects::text).collect(Collectors.joining("; ")));
    }
    if (!together.isEmpty()) {
      sentences.add(
          "factors depend on each other: "
              + together.stream().map(FactorEffects::text).collect(Collectors.joining("; ")));
    }
    List<String> silent =
        factors.factors().stream()
            .map(Factor::name)
            .filter(name -> mains.stream().noneMatch(one -> one.name().factor().equals(name)))
            .toList();
    if (!silent.isEmpty() && !mains.isEmpty()) {
      sentences.add("no main effect shown: " + String.join(", ", silent));
    }
    sentences.addAll(basis());
    sentences.addAll(gaps);
    factors.aliases().ifPresent(sentences::add);
    return List.copyOf(sentences);
  }

  /** Returns how many effects in the primary metric have an interval and a p. */
  private long tested() {
    return primaries().stream().filter(one -> one.grade() != Grade.UNKNOWN).count();
  }

  /** Describes what the intervals are of, and why effects have none. */
  private List<String> basis() {
    List<String> basis = new ArrayList<>();
    int tested = (int) tested();
    primaries().stream()
        .filter(one -> one.grade() != Grade.UNKNOWN)
        .findFirst()
        .ifPresent(
            one ->
                basis.add(
                    "%s in one family of Holm; %s"
                        .formatted(Plural.of(tested, "effect"), one.basis().sentence())));
    int untested = primaries().size() - tested;
    primaries().stream()
        .filter(one -> one.grade() == Grade.UNKNOWN)
        .findFirst()
        .ifPresent(
            one ->
                basis.add(
                    "%s no interval, and none of them can be shown: there is %s%s, and scatter needs two"
                        .formatted(
                            untested == 1
                                ? "1 effect has"
                                : tested == 0 ? "the effects have" : untested + " effects have",
                            one.basis().counted(one.n()),
                            one.basis().isBlocked() ? "" : " of a combination")));
    return basis;
  }

  private static String text(FactorEffect one) {
    return Phrase.of(
        "%s gives %+.1f %% [%+.1f, %+.1f]%s",
        one.name().text(), one.percent(), one.low(), one.high(), one.load().at());
  }
}
