package io.slicewise.sweep.source;

import static org.assertj.core.api.Assertions.assertThat;

import io.slicewise.experiment.Experiment;
import io.slicewise.experiment.Plan;
import io.slicewise.experiment.Trial;
import io.slicewise.experiment.file.ExperimentFiles;
import io.slicewise.run.result.Measured;
import io.slicewise.run.result.Precision;
import io.slicewise.stats.Band;
import io.slicewise.stats.BlockedEffect;
import io.slicewise.stats.Effect;
import io.slicewise.stats.Estimate;
import io.slicewise.stats.Verdict;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Protects what {@code stop} promises in the long run: the interval a run ends with covers the
 * truth as often as it says, although the run decided by looking when to end. Whole decisions are
 * simulated, bounds included; seeds are fixed.
 */
class StopCoverageTest {
  private static final int ROUNDS = 2_000;
  private static final double TRUTH = 200;

  @TempDir Path directory;

  @Test
  void twoStagesCoverAndAreAsNarrowAsAsked() throws IOException {
    List<Precision> ends = simulate("two-stage", 0.03);
    assertThat(coverage(ends)).isBetween(0.94, 0.96);
    assertThat(ends)
        .filteredOn(Precision::enough)
        .hasSizeBetween(ROUNDS / 2, ROUNDS)
        .allMatch(end -> halfWidth(end) <= Math.log1p(0.03) + 1e-12);
  }

  @Test
  void intervalsForEveryLookCoverWheneverTheRunEnds() throws IOException {
    assertThat(coverage(simulate("always-valid", 0.03))).isGreaterThan(0.95);
  }

  /**
   * The third trial failed and a resume ran it behind the seventh block: it joins the first stage.
   * The scatter of any trials fixed beforehand is independent of the mean of all, so the interval
   * covers as before.
   */
  @Test
  void aTrialOfTheFirstStageThatIsRunLateCostsNoCoverage() throws IOException {
    Experiment experiment = experiment("two-stage", "[as-found]");
    List<Trial> plan = new ArrayList<>(Plan.of(experiment, Plan.mostBlocks(experiment)));
    plan.add(6, plan.remove(2));
    Random random = new Random(20260814);
    List<Precision> ends = new ArrayList<>();
    for (int round = 0; round < ROUNDS; round++) {
      ends.add(Precision.after(experiment, measured(experiment, plan, random, 0.04)));
    }
    assertThat(coverage(ends)).isBetween(0.94, 0.96);
  }

  /** Two profiles that are the same: how many trials there are depends on their scatter alone. */
  @Test
  void aProfileThatIsTheBaselineIsSeldomCalledDifferentWhereAStopDecidesTheNumber()
      throws IOException {
    for (String rule : List.of("two-stage", "always-valid")) {
      Experiment experiment =
          experiment(rule, "[as-found, {name: same, scheduler: credit, main: {weight: 256}}]");
      List<Trial> plan = Plan.of(experiment, Plan.mostBlocks(experiment));
      Random random = new Random(20260814);
      int verdicts = 0;
      int small = 0;
      for (int round = 0; round < ROUNDS; round++) {
        Effect effect = effect(measured(experiment, plan, random, 0.03));
        Verdict verdict = Verdict.of(effect, effect.pValue(), 1, Band.DEFAULT, false);
        verdicts += verdict == Verdict.BETTER || verdict == Verdict.WORSE ? 1 : 0;
        small += effect.pValue() < 0.05 ? 1 : 0;
      }
      assertThat(verdicts / (double) ROUNDS).isLessThan(0.01);
      assertThat(small / (double) ROUNDS).isBetween(0.03, 0.07);
    }
  }

  private static Effect effect(List<Measured> trials) {
    Map<String, double[]> byProfile = new TreeMap<>();
    for (String profile : List.of("as-found", "same")) {
      byProfile.put(
          profile,
          trials.stream()
              .filter(one -> one.trial().profile().equals(profile))
              .sorted(Comparator.comparingInt(one -> one.trial().block()))
              .mapToDouble(one -> one.value("p95"))
              .toArray());
    }
    return BlockedEffect.of(byProfile.get("same"), byProfile.get("as-found"));
  }

  private List<Precision> simulate(String rule, double scatter) throws IOException {
    Experiment experiment = experiment(rule, "[as-found]");
    List<Trial> plan = Plan.of(experiment, Plan.mostBlocks(experiment));
    Random random = new Random(20260814);
    List<Precision> ends = new ArrayList<>();
    for (int round = 0; round < ROUNDS; round++) {
      ends.add(Precision.after(experiment, measured(experiment, plan, random, scatter)));
    }
    return ends;
  }

  /** A whole run: it looks behind each trial that completes a block of the plan. */
  private static List<Measured> measured(
      Experiment experiment, List<Trial> plan, Random random, double scatter) {
    TrialSource source = new TrialSource.UntilPrecise(experiment);
    List<Measured> trials = new ArrayList<>();
    int cells = experiment.profiles().size();
    for (int i = 0; i < plan.size(); i++) {
      double p95 = TRUTH * Math.exp(scatter * random.nextGaussian());
      trials.add(
          new Measured(plan.get(i), true, Map.of("p95", p95, "mean", p95 / 2), List.of(), 10));
      int blocks = (i + 1) / cells;
      boolean over =
          (i + 1) % cells == 0
              && blocks >= experiment.repetitions()
              && source
                  .next(new TrialHistory(List.of(), trials, Set.of(), blocks, Duration.ZERO))
                  .open()
                  .isEmpty();
      if (over) {
        break;
      }
    }
    return trials;
  }

  private static double coverage(List<Precision> ends) {
    return ends.stream()
            .map(end -> end.cells().get(0).estimate())
            .filter(estimate -> estimate.low() <= TRUTH && TRUTH <= estimate.high())
            .count()
        / (double) ROUNDS;
  }

  private static double halfWidth(Precision end) {
    Estimate estimate = end.cells().get(0).estimate();
    return Math.log(estimate.high() / estimate.low()) / 2;
  }

  private Experiment experiment(String rule, String profiles) throws IOException {
    return ExperimentFiles.read(
        Files.writeString(
            directory.resolve("shop.yaml"),
            """
            name: shop
            host: {address: dom0.example}
            domains: {main: [web]}
            profiles: %s
            workload: {name: web-app, target: "http://web.example/"}
            users: 10
            repetitions: 5
            stop: {precision: 3%%, rule: %s, within: {trials: 12, time: 8h}}
            """
                .formatted(profiles, rule)));
  }
}
