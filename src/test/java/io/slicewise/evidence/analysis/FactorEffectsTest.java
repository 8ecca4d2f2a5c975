package io.slicewise.evidence.analysis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.slicewise.evidence.effects.FactorEffect;
import io.slicewise.evidence.effects.FactorEffect.Grade;
import io.slicewise.evidence.effects.FactorEffects;
import io.slicewise.experiment.Experiment;
import io.slicewise.experiment.factors.Factors;
import io.slicewise.experiment.file.ExperimentFiles;
import io.slicewise.report.figure.EffectFigures;
import io.slicewise.run.result.TrialResult;
import io.slicewise.stats.Band;
import io.slicewise.stats.Holm;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.function.ToDoubleFunction;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Protects: effects of factors hold what they claim, in one family over all loads. */
class FactorEffectsTest {
  private static final Question THROUGHPUT = new Question(Metric.THROUGHPUT, Band.DEFAULT);
  private static final int STUDIES = 2_000;
  private static final int MOST_STUDIES = 10_000;

  @TempDir private Path directory;

  private Experiment experiment(String factors, String more) throws IOException {
    return ExperimentFiles.read(
        Files.writeString(
            directory.resolve("knobs.yaml"),
            """
            name: knobs
            host: {address: dom0.example}
            domains: {main: [web], other: [batch]}
            profiles: [{factors: {%s}}]
            workload: {name: web-app, target: "http://web.example/"}
            users: [25, 50]
            repetitions: 6
            %s
            """
                .formatted(factors, more)));
  }

  private Experiment cube() throws IOException {
    return experiment(
        "scheduler: credit, dom0: {cap: [0, 90]}, domains: {web: {weight: [256, 512, 1024]}, batch:"
            + " {weight: [256, 64]}}",
        "");
  }

  /** Trials whose blocks and cells scatter, with the effect of each cell on logarithms. */
  private static List<TrialResult> trials(
      Experiment experiment,
      int blocks,
      Random random,
      double scatter,
      ToDoubleFunction<Factors.Cell> effect) {
    List<TrialResult> results = new ArrayList<>();
    int number = 1;
    for (int block = 1; block <= blocks; block++) {
      for (int users : List.of(25, 50)) {
        double level = 4 + 0.25 * random.nextGaussian();
        for (Factors.Cell cell : experiment.factors().orElseThrow().cells()) {
          // The cells of the second level of the first factor scatter twice as much.
          double noise = scatter * (1 + cell.levels().get(0)) * random.nextGaussian();
          results.add(
              Trials.trial(
                  number++,
                  cell.profile(),
                  users,
                  block,
                  Math.exp(level + effect.applyAsDouble(cell) + noise)));
        }
      }
    }
    return results;
  }

  /** The second factor's last level gains 30 %, and 20 % more under the third's second. */
  private static double known(Factors.Cell cell) {
    double gain = cell.levels().get(1) == 2 ? Math.log(1.3) : 0;
    return gain + (cell.levels().get(1) == 2 && cell.levels().get(2) == 1 ? Math.log(1.2) : 0);
  }

  private static FactorEffects effects(Experiment experiment, List<TrialResult> results) {
    return FactorEffects.of(experiment, results, THROUGHPUT).orElseThrow();
  }

  private static FactorEffect effect(FactorEffects all, String factor, String levels) {
    return all.all().stream()
        .filter(one -> one.name().factor().equals(factor) && one.name().levels().equals(levels))
        .findFirst()
        .orElseThrow();
  }

  @Test
  void findsAKnownEffectAndAKnownInteraction() throws IOException {
    Experiment experiment = cube();
    FactorEffects all =
        effects(experiment, trials(experiment, 6, new Random(3), 0.01, FactorEffectsTest::known));
    assertThat(all.all()).hasSize(2 * (4 + 5));
    FactorEffect main = effect(all, "web-weight", "256 -> 1024");
    assertThat(main.percent()).isCloseTo(100 * (1.3 * Math.sqrt(1.2) - 1), within(3.0));
    assertThat(main.grade()).isEqualTo(Grade.SHOWN);
    assertThat(main.degreesOfFreedom()).isEqualTo(5);
    FactorEffect both = effect(all, "web-weight x batch-weight", "1024, 64");
    assertThat(both.percent()).isCloseTo(20, within(4.0));
    assertThat(both.grade()).isEqualTo(Grade.SHOWN);
    assertThat(effect(all, "web-weight", "256 -> 512").grade()).isEqualTo(Grade.NOT_SHOWN);
    assertThat(all.headline().orElseThrow())
        .startsWith("web-weight matters most in throughput: web-weight 256 -> 1024 gives +");
    assertThat(all.interacting()).hasSize(2);
    assertThat(all.interacting().get(0).means()).hasSize(3).allMatch(row -> row.size() == 2);
  }

  @Test
  void theFamilyIsAllEffectsAtAllLoads() throws IOException {
    Experiment experiment = cube();
    List<FactorEffect> all =
        effects(experiment, trials(experiment, 6, new Random(4), 0.02, FactorEffectsTest::known))
            .primaries();
    double[] adjusted = Holm.adjust(all.stream().mapToDouble(FactorEffect::p).toArray());
    for (int i = 0; i < adjusted.length; i++) {
      assertThat(all.get(i).adjustedP()).isEqualTo(adjusted[i]);
    }
  }

  @Test
  void metricsOfGuardsAreExploratory() throws IOException {
    Experiment experiment =
        experiment(
            "scheduler: credit, domains: {web: {weight: [256, 512]}}",
            "goal: highest throughput\nguard: {p95: +10%}");
    FactorEffects all =
        effects(experiment, trials(experiment, 6, new Random(5), 0.01, cell -> 0.2));
    assertThat(all.all()).hasSize(4);
    assertThat(all.all().get(3).metric()).isEqualTo(Metric.P95);
    assertThat(all.all().get(3).grade()).isEqualTo(Grade.EXPLORATORY);
  }

  @Test
  void aLoadThatLacksACellHasNoEffects() throws IOException {
    Experiment experiment = cube();
    List<TrialResult> results = trials(experiment, 3, new Random(6), 0.01, cell -> 0);
    String lost = experiment.profiles().get(5).name();
    results.removeIf(one -> one.trial().profile().equals(lost) && one.trial().load().size() == 25);
    FactorEffects effects = effects(experiment, results);
    assertThat(effects.all()).allMatch(one -> one.load().size() == 50);
    assertThat(effects.sentences())
        .anyMatch(
            one ->
                one.matches("no effects at .*25.*: a combination has no trial there that counts"));
  }

  @Test
  void oneBlockHasEffectsWithoutIntervals() throws IOException {
    Experiment experiment = cube();
    FactorEffects all =
        effects(experiment, trials(experiment, 1, new Random(6), 0.01, FactorEffectsTest::known));
    assertThat(all.all()).allMatch(one -> one.grade() == Grade.UNKNOWN);
    assertThat(all.headline()).isEqualTo(Optional.empty());
    assertThat(all.all()).allMatch(one -> Double.isNaN(one.low()) && Double.isNaN(one.p()));
    assertThat(all.all()).allMatch(one -> Double.isNaN(one.degreesOfFreedom()));
    assertThat(all.sentences())
        .containsExactly(
            "the effects have no interval, and none of them can be shown: there is 1 block, and"
                + " scatter needs two");
    assertThat(EffectFigures.of(all))
        .allSatisfy(
            figure -> {
              assertThat(figure.svg()).doesNotContain("NaN").contains("without 95 % intervals");
              assertThat(figure.note()).startsWith("None is shown, since none has an interval.");
            });
  }

  @Test
  void aBlockThatLacksACombinationIsNamed() throws IOException {
    Experiment experiment = cube();
    List<TrialResult> results =
        trials(experiment, 4, new Random(7), 0.01, FactorEffectsTest::known);
    String lost = experiment.profiles().get(5).name();
    results.removeIf(
        one ->
            one.trial().profile().equals(lost)
                && one.trial().block() == 2
                && one.trial().load().size() == 25);
    assertThat(effects(experiment, results).sentences())
        .anyMatch(one -> one.startsWith("1 block not used") && one.contains("25"));
  }

  @Test
  void intervalsOfFewStudiesHoldTheTruth() throws IOException {
    assertThat(coverage(cube(), 6, 200)).isBetween(0.93, 0.97);
  }

  @Test
  @Tag("nightly")
  void intervalsHoldTheTruthAndFamiliesRaiseNoFalseAlarm() throws IOException {
    Experiment experiment = cube();
    for (int blocks : List.of(3, 6)) {
      double coverage = coverage(experiment, blocks, STUDIES);
      double alarms = falseAlarms(experiment, blocks, MOST_STUDIES);
      System.out.printf("%d blocks: coverage %.4f, false alarms %.4f%n", blocks, coverage, alarms);
      assertThat(coverage).isGreaterThanOrEqualTo(0.94);
      // At 5 %, this many studies scatter by 0.2 %.
      assertThat(alarms).isLessThanOrEqualTo(0.055);
    }
  }

  /** The share of intervals that hold the true effect, over all effects. */
  private static double coverage(Experiment experiment, int blocks, int studies) {
    Random random = new Random(2026);
    int held = 0;
    int all = 0;
    for (int study = 0; study < studies; study++) {
      FactorEffects effects =
          effects(experiment, trials(experiment, blocks, random, 0.05, FactorEffectsTest::known));
      for (FactorEffect one : effects.all()) {
        double truth = 100 * (Math.exp(truth(one)) - 1);
        held += one.low() <= truth && truth <= one.high() ? 1 : 0;
        all++;
      }
    }
    return (double) held / all;
  }

  private static double truth(FactorEffect one) {
    String name = one.name().factor() + " " + one.name().levels();
    return switch (name) {
      case "web-weight 256 -> 1024" -> Math.log(1.3) + Math.log(1.2) / 2;
      case "batch-weight 256 -> 64" -> Math.log(1.2) / 3;
      case "web-weight x batch-weight 1024, 64" -> Math.log(1.2);
      default -> 0;
    };
  }

  /** The share of studies without any effect in which at least one is shown. */
  private static double falseAlarms(Experiment experiment, int blocks, int studies) {
    Random random = new Random(34);
    int alarms = 0;
    for (int study = 0; study < studies; study++) {
      FactorEffects effects =
          effects(experiment, trials(experiment, blocks, random, 0.05, cell -> 0));
      alarms += effects.all().stream().anyMatch(one -> one.grade() == Grade.SHOWN) ? 1 : 0;
    }
    return (double) alarms / studies;
  }
}
