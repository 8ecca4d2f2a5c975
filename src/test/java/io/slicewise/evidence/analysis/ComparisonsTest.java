package io.slicewise.evidence.analysis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.slicewise.evidence.analysis.Comparison.Kind;
import io.slicewise.evidence.findings.BestSet;
import io.slicewise.evidence.findings.Recommendation;
import io.slicewise.experiment.Experiment;
import io.slicewise.experiment.Trial;
import io.slicewise.experiment.load.Load;
import io.slicewise.profile.Credit;
import io.slicewise.profile.Role;
import io.slicewise.profile.SchedulerProfile;
import io.slicewise.run.result.TrialResult;
import io.slicewise.stats.Band;
import io.slicewise.stats.Holm;
import io.slicewise.stats.Verdict;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Protects: profiles are compared within blocks, with one family, and the best is a set. */
class ComparisonsTest {
  private static final Question THROUGHPUT = new Question(Metric.THROUGHPUT, Band.DEFAULT);

  /** Blocks differ by a quarter, profiles by the factors, trials by half a percent. */
  private static List<TrialResult> sweep(int blocks, List<Integer> users, double... factors) {
    Random random = new Random(7);
    List<TrialResult> results = new ArrayList<>();
    int number = 1;
    for (int block = 1; block <= blocks; block++) {
      double level = 100 * Math.exp(0.25 * random.nextGaussian());
      for (int load : users) {
        for (int i = 0; i < factors.length; i++) {
          double x = level * factors[i] * Math.exp(0.005 * random.nextGaussian());
          results.add(Trials.trial(number++, "p" + i, load, block, x));
        }
      }
    }
    return results;
  }

  private static Experiment experiment(int... settings) {
    List<SchedulerProfile> profiles = new ArrayList<>();
    for (int i = 0; i < settings.length; i++) {
      profiles.add(
          new SchedulerProfile(
              "p" + i, Optional.empty(), Map.of(Role.MAIN, Credit.of(settings[i], 0)), Map.of()));
    }
    return Trials.experiment(List.of(25, 50), 6, profiles);
  }

  @Test
  void blocksHideNothingThatHoldsWithinThem() {
    List<Comparison> comparisons =
        Comparisons.of(
            experiment(256, 512, 1024, 2048),
            sweep(6, List.of(25, 50), 1, 1.10, 1.001, 0.9),
            THROUGHPUT);

    assertThat(primary(comparisons, 25))
        .extracting(Comparison::verdict)
        .containsExactly(Verdict.BETTER, Verdict.SAME, Verdict.WORSE);
    Comparison first = primary(comparisons, 25).get(0);
    assertThat(first.change().percent()).isCloseTo(10, within(1.0));
    assertThat(first.change().low()).isLessThan(first.change().percent());
    assertThat(first.change().high()).isGreaterThan(first.change().percent());
    assertThat(first.tests().adjustedP()).isGreaterThanOrEqualTo(first.tests().p());
    assertThat(first.means().effect().n()).isEqualTo(6);
  }

  @Test
  void timesAreBetterWhenTheyFall() {
    List<Comparison> comparisons =
        Comparisons.of(
            experiment(256, 512),
            sweep(6, List.of(25, 50), 1, 1.10),
            new Question(Metric.P95, Band.DEFAULT));

    assertThat(primary(comparisons, 25).get(0).verdict()).isEqualTo(Verdict.BETTER);
    assertThat(primary(comparisons, 25).get(0).change().percent()).isNegative();
  }

  @Test
  void onlyThePrimaryMetricIsAdjusted() {
    List<Comparison> comparisons =
        Comparisons.of(experiment(256, 512), sweep(6, List.of(25, 50), 1, 1.1), THROUGHPUT);

    assertThat(comparisons)
        .filteredOn(comparison -> comparison.kind() == Kind.EXPLORATORY)
        .isNotEmpty()
        .allMatch(comparison -> Double.isNaN(comparison.tests().adjustedP()));
    assertThat(Comparisons.familySize(experiment(256, 512))).isEqualTo(2);
  }

  @Test
  void sameIsAdjustedForTheFamilyLikeBetterAndWorse() {
    List<Comparison> comparisons =
        Comparisons.of(
            experiment(256, 512, 1024, 2048, 4096),
            sweep(6, List.of(25, 50), 1, 1.001, 1.02, 1.02, 1.02),
            THROUGHPUT);

    List<Comparison> family = new ArrayList<>(primary(comparisons, 25));
    family.addAll(primary(comparisons, 50));
    double[] adjusted =
        Holm.adjust(family.stream().mapToDouble(one -> one.tests().equivalenceP()).toArray());
    assertThat(family)
        .extracting(one -> one.tests().adjustedEquivalenceP())
        .containsExactly(boxed(adjusted));
    assertThat(family)
        .allMatch(
            one -> (one.verdict() == Verdict.SAME) == one.tests().adjustedEquivalenceP() < 0.05)
        .anyMatch(one -> one.verdict() == Verdict.SAME)
        .anyMatch(one -> one.verdict() == Verdict.UNCLEAR && one.tests().equivalenceP() < 0.05);
    assertThat(comparisons)
        .filteredOn(one -> one.kind() == Kind.EXPLORATORY)
        .allMatch(one -> Double.isNaN(one.tests().adjustedEquivalenceP()));
  }

  private static Double[] boxed(double... values) {
    return Arrays.stream(values).boxed().toArray(Double[]::new);
  }

  @Test
  void blockWithoutAPartnerIsLeftOut() {
    List<TrialResult> results = new ArrayList<>(sweep(4, List.of(25), 1, 1.1));
    TrialResult lost = results.remove(1);
    results.add(Trials.result(lost.trial(), List.of("errors"), lost.load().orElseThrow()));

    Comparison comparison =
        primary(Comparisons.of(experiment(256, 512), results, THROUGHPUT), 25).get(0);

    assertThat(comparison.means().effect().n()).isEqualTo(3);
  }

  @Test
  void oneBlockDecidesNothing() {
    Comparison comparison =
        primary(Comparisons.of(experiment(256, 512), sweep(1, List.of(25), 1, 2), THROUGHPUT), 25)
            .get(0);
    assertThat(comparison.verdict()).isEqualTo(Verdict.UNCLEAR);
    assertThat(comparison.tests().p()).isNaN();
    assertThat(comparison.moreBlocks()).isEmpty();
  }

  @Test
  void unclearSaysHowManyMoreBlocksWouldDecide() {
    List<TrialResult> results =
        List.of(
            Trials.trial(1, "p0", 25, 1, 100),
            Trials.trial(2, "p1", 25, 1, 104),
            Trials.trial(3, "p0", 25, 2, 100),
            Trials.trial(4, "p1", 25, 2, 108),
            Trials.trial(5, "p0", 25, 3, 100),
            Trials.trial(6, "p1", 25, 3, 102));

    Comparison comparison =
        primary(Comparisons.of(experiment(256, 512), results, THROUGHPUT), 25).get(0);

    assertThat(comparison.verdict()).isEqualTo(Verdict.UNCLEAR);
    assertThat(comparison.moreBlocks().orElseThrow()).isBetween(2, 20);
  }

  @Test
  void trialsThatAgreeToTheMillisecondHideWhatIsBelowIt() {
    // 4 ms may be 4.0 or 4.9, and 5 ms 5.0: no change of a quarter is shown, and none ruled out.
    Comparison step = p95(new double[] {4, 4, 4, 4, 4, 4}, new double[] {5, 5, 5, 5, 5, 5});
    assertThat(step.verdict()).isEqualTo(Verdict.UNCLEAR);
    assertThat(step.means().coarse()).isTrue();
    assertThat(step.change().percent()).isCloseTo(25, within(1e-9));
    assertThat(step.change().low()).isCloseTo(0, within(1e-9));
    assertThat(step.change().high()).isCloseTo(56.25, within(1e-9));
    assertThat(step.tests().p()).isEqualTo(1);
    assertThat(step.moreBlocks()).isEmpty();
    Comparison level = p95(new double[] {4, 4, 4, 4, 4, 4}, new double[] {4, 4, 4, 4, 4, 4});
    assertThat(level.verdict()).isEqualTo(Verdict.UNCLEAR);
    // A millisecond matters neither where the change is large nor where the times are long.
    assertThat(p95(new double[] {4, 4, 4, 4, 4, 4}, new double[] {9, 9, 9, 8, 9, 9}).verdict())
        .isEqualTo(Verdict.WORSE);
    double[] long400 = {400, 400, 400, 400, 400, 400};
    assertThat(p95(long400, long400).verdict()).isEqualTo(Verdict.SAME);
    assertThat(
            p95(new double[] {40, 43, 38, 41, 40, 39}, new double[] {50, 49, 52, 51, 47, 50})
                .means()
                .coarse())
        .isFalse();
  }

  @Test
  void ratesThatAgreeToTheRequestAllowForOneMore() {
    List<TrialResult> results = new ArrayList<>();
    for (int block = 1; block <= 5; block++) {
      results.add(Trials.trial(2 * block - 1, "p0", 25, block, 100));
      results.add(Trials.trial(2 * block, "p1", 25, block, 103));
    }
    Comparison same = primary(Comparisons.of(experiment(256, 512), results, THROUGHPUT), 25).get(0);
    assertThat(same.means().coarse()).isTrue();
    assertThat(same.change().percent()).isCloseTo(3, within(1e-9));
    // One request more in 60 s is 1/60 per second: 103 against 100, a factor of 1 + 1/6000 off.
    assertThat(same.change().low()).isCloseTo(100 * (1.03 / (1 + 1 / 6000.0) - 1), within(1e-9));
    assertThat(same.change().high()).isCloseTo(100 * (1.03 * (1 + 1 / 6000.0) - 1), within(1e-9));
    assertThat(same.tests().p()).isPositive();
  }

  @Test
  void trialsThatAllAgreeAreAsUncertainAsTheMetricIsCoarse() {
    List<TrialResult> results = new ArrayList<>();
    for (int block = 1; block <= 3; block++) {
      results.add(Trials.trial(2 * block - 1, "p0", 25, block, 100));
      results.add(Trials.trial(2 * block, "p1", 25, block, 100.001));
    }
    Experiment experiment = experiment(256, 512);

    assertThat(BestSet.of(experiment, results, Metric.THROUGHPUT).get(0).places())
        .as("one request more in a window of 60 s is 0.0167 per second")
        .allMatch(BestSet.Place::inBestSet);
  }

  /** The comparison of two profiles whose p95 in each block these are. */
  private static Comparison p95(double[] before, double[] now) {
    List<TrialResult> results = new ArrayList<>();
    for (int block = 1; block <= now.length; block++) {
      for (int side = 0; side < 2; side++) {
        results.add(
            Trials.result(
                new Trial(2 * block - 1 + side, block, "p" + side, Load.of(25), block),
                List.of(),
                Trials.load(100, 1, side == 0 ? before[block - 1] : now[block - 1], Double.NaN)));
      }
    }
    Question question = new Question(Metric.P95, Band.DEFAULT);
    return primary(Comparisons.of(experiment(256, 512), results, question), 25).get(0);
  }

  @Test
  void baselineUnderAnotherNameIsAControl() {
    Experiment experiment = experiment(256, 256, 512);
    List<Comparison> comparisons =
        Comparisons.of(experiment, sweep(6, List.of(25, 50), 1, 1, 1.1), THROUGHPUT);

    assertThat(Comparisons.isControl(experiment, "p1")).isTrue();
    assertThat(Comparisons.familySize(experiment)).isEqualTo(2);
    ControlCheck check = ControlCheck.of(comparisons, Metric.THROUGHPUT);
    assertThat(check.controls()).hasSize(2);
    assertThat(check.falseAlarms()).isEmpty();
    assertThat(check.outcome()).isEqualTo(ControlCheck.Outcome.NO_FALSE_ALARM);
    assertThat(check.sentence()).startsWith("A/A: no false alarm: p1 throughput ");
    ControlCheck alarmed =
        ControlCheck.of(
            Comparisons.of(experiment, sweep(6, List.of(25, 50), 1, 1.2, 1.1), THROUGHPUT),
            Metric.THROUGHPUT);
    assertThat(alarmed.falseAlarms()).hasSize(2);
    assertThat(alarmed.outcome()).isEqualTo(ControlCheck.Outcome.FALSE_ALARM);
    assertThat(alarmed.sentence())
        .startsWith("A/A: FALSE ALARM: p1 throughput ")
        .endsWith("although the settings are identical; this run's comparisons cannot be trusted");
    assertThat(ControlCheck.of(List.of(), Metric.THROUGHPUT).outcome())
        .isEqualTo(ControlCheck.Outcome.NO_CONTROL);
  }

  @Test
  void aControlWithoutAnIntervalIsNotPrintedAsANumber() {
    Experiment experiment = experiment(256, 256);
    List<TrialResult> results = new ArrayList<>(sweep(3, List.of(25), 1, 1));
    results.addAll(sweep(1, List.of(50), 1, 1));
    ControlCheck check =
        ControlCheck.of(Comparisons.of(experiment, results, THROUGHPUT), Metric.THROUGHPUT);
    assertThat(check.sentence()).contains("% [–] at 50 users").doesNotContain("NaN");
  }

  @Test
  void bestIsASet() {
    List<BestSet> sets =
        BestSet.of(
            experiment(256, 512, 1024, 2048),
            sweep(6, List.of(25, 50), 1, 1.10, 1.101, 0.9),
            Metric.THROUGHPUT);

    assertThat(sets).hasSize(2);
    assertThat(sets.get(0).profiles()).containsExactly("p1", "p2");
    assertThat(sets.get(0).known()).isTrue();
  }

  @Test
  void incompleteBlocksAreNamed() {
    List<TrialResult> results = new ArrayList<>(sweep(4, List.of(25), 1, 1.1));
    results.remove(0);
    BestSet set = BestSet.of(experiment(256, 512), results, Metric.P95).get(0);
    assertThat(set.incompleteBlocks()).containsExactly(1);
    assertThat(set.repetitions()).isEqualTo(3);
    assertThat(set.profiles()).containsExactly("p1");
  }

  @Test
  void recommendsWhatIsBetterAndNowhereWorse() {
    Experiment experiment = experiment(256, 512, 1024);
    List<TrialResult> results = sweep(6, List.of(25, 50), 1, 1.10, 1.2);

    Recommendation facts = Recommendation.from(experiment, results, THROUGHPUT);

    assertThat(facts.candidate()).hasValue("p2");
    assertThat(facts.sameDirection()).isTrue();
    assertThat(facts.drift().n()).isEqualTo(36);
    assertThat(
            Recommendation.from(experiment, sweep(6, List.of(25, 50), 1, 1, 0.9), THROUGHPUT)
                .candidate())
        .isEmpty();
  }

  @Test
  void questionFallsBackToTheMeanWhereP95IsNotKnown() {
    assertThat(Question.suitedTo(sweep(1, List.of(25), 1)).primary()).isEqualTo(Metric.P95);
    TrialResult few =
        Trials.result(
            new Trial(1, 1, "p0", Load.of(25), 1),
            List.of(),
            Trials.load(1, 5, Double.NaN, Double.NaN));
    assertThat(Question.suitedTo(List.of(few)).primary()).isEqualTo(Metric.MEAN);
  }

  private static List<Comparison> primary(List<Comparison> comparisons, int users) {
    return comparisons.stream()
        .filter(
            comparison ->
                comparison.kind() == Kind.PRIMARY && comparison.load().equals(Load.of(users)))
        .toList();
  }
}
