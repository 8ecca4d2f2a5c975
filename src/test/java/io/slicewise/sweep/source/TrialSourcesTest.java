package io.slicewise.sweep.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.slicewise.base.units.Window;
import io.slicewise.experiment.Experiment;
import io.slicewise.experiment.Plan;
import io.slicewise.experiment.Trial;
import io.slicewise.experiment.file.ExperimentFiles;
import io.slicewise.host.monitor.HypervisorShares;
import io.slicewise.host.monitor.MonitorResult;
import io.slicewise.run.UncountedLoad;
import io.slicewise.run.journal.PlannedTrial;
import io.slicewise.run.result.LoadResult;
import io.slicewise.run.result.Measured;
import io.slicewise.run.result.Precision;
import io.slicewise.run.result.TrialHost;
import io.slicewise.run.result.TrialLoad;
import io.slicewise.run.result.TrialResult;
import io.slicewise.run.result.TrialTimes;
import io.slicewise.run.validity.Judgement.Finding;
import io.slicewise.run.validity.Rule;
import io.slicewise.stats.Mser5;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Protects what comes next in a run: invalid trials are tried again as often as the limits allow
 * and no longer, and blocks are added until cells are precise by a rule that covers, or a bound is
 * reached.
 */
class TrialSourcesTest {
  private static final Window WINDOW =
      new Window(Instant.parse("2026-11-20T21:00:00Z"), Instant.parse("2026-11-20T21:01:00Z"));
  private static final double[] FIRST_STAGE = {98, 100, 102, 104, 96};

  @TempDir Path directory;

  @Test
  void theFixedPlanIsOpenUntilEachOfItsTrialsEnded() throws IOException {
    Experiment experiment = experiment("repeat-invalid: 0");
    List<Trial> plan = Plan.of(experiment);
    assertThat(open(experiment)).isEqualTo(plan);
    assertThat(open(experiment, result(plan.get(1), true, 100), result(plan.get(3), false, 100)))
        .hasSize(8)
        .doesNotContain(plan.get(1), plan.get(3));
  }

  @Test
  void whatFailedIsLeftForTheResumedRun() throws IOException {
    Experiment experiment = experiment("repeat-invalid: 0");
    TrialHistory failed = new TrialHistory(List.of(), List.of(), Set.of(1), 0, Duration.ZERO);
    assertThat(TrialSource.of(experiment).next(failed).open())
        .hasSize(9)
        .extracting(one -> one.trial().number())
        .doesNotContain(1);
  }

  @Test
  void anInvalidTrialIsTriedAgainAsOftenAsTheLimitsAllow() throws IOException {
    Experiment experiment = experiment("repeat-invalid: 2");
    Trial planned = Plan.of(experiment).get(0);
    TrialResult first = result(planned, false, 100);
    TrialResult second = result(planned.attempt(2), false, 100);
    TrialResult third = result(planned.attempt(3), false, 100);
    assertThat(open(experiment, first)).contains(planned.attempt(2)).hasSize(10);
    assertThat(open(experiment, first, second)).contains(planned.attempt(3)).hasSize(10);
    assertThat(open(experiment, first, second, third)).hasSize(9);
  }

  @Test
  void aFurtherAttemptWaitsUntilItsBlockHasRun() throws IOException {
    Experiment experiment = experiment("repeat-invalid: 2");
    List<Trial> plan = Plan.of(experiment);
    assertThat(open(experiment, result(plan.get(0), false, 100)))
        .startsWith(plan.get(1), plan.get(0).attempt(2), plan.get(2));
  }

  @Test
  void aValidAttemptIsTheLast() throws IOException {
    Experiment experiment = experiment("repeat-invalid: 2");
    Trial planned = Plan.of(experiment).get(0);
    assertThat(open(experiment, result(planned, false, 100), result(planned.attempt(2), true, 100)))
        .hasSize(9);
  }

  @Test
  void aCellThatNeverWasValidIsNotTriedAgainInLaterBlocks() throws IOException {
    Experiment experiment = experiment("repeat-invalid: 1");
    List<Trial> cell =
        Plan.of(experiment).stream().filter(trial -> trial.profile().equals("heavy")).toList();
    TrialResult first = result(cell.get(0), false, 100);
    TrialResult second = result(cell.get(0).attempt(2), false, 100);
    assertThat(open(experiment, first, second)).contains(cell.get(1)).hasSize(9);
    assertThat(open(experiment, first, second, result(cell.get(1), false, 100))).hasSize(8);
  }

  @Test
  void anAddedBlockIsDecidedOnOnlyWhenAttemptsOfTheLastAreOver() throws IOException {
    Experiment experiment = experiment("repeat-invalid: 1");
    List<TrialResult> results = results(experiment, "as-found", FIRST_STAGE);
    results.addAll(results(experiment, "heavy", 80, 80, 81, 80));
    Trial last =
        Plan.of(experiment).stream()
            .filter(trial -> trial.profile().equals("heavy") && trial.block() == 5)
            .findFirst()
            .orElseThrow();
    results.add(result(last, false, 80));
    assertThat(answer(experiment, results).open())
        .extracting(PlannedTrial::trial)
        .containsExactly(last.attempt(2));
    results.add(result(last.attempt(2), true, 80));
    TrialSource.Answer added = answer(experiment, results);
    assertThat(added.open())
        .extracting(PlannedTrial::trial)
        .isEqualTo(Plan.of(experiment, 6).subList(10, 12));
    assertThat(added.reason()).isEqualTo("1 of 2 cells (p95 to +-3%)");
  }

  @Test
  void theFirstStageTellsHowManyTrialsACellNeeds() throws IOException {
    Experiment experiment = experiment("repeat-invalid: 0");
    List<TrialResult> results = results(experiment, "as-found", FIRST_STAGE);
    Precision.Cell cell = Precision.of(experiment, results).cells().get(0);
    // By hand: s of ln = 0.0316393; (2.776445 x 0.0316393 / ln 1.03)^2 = 8.83.
    assertThat(cell.needed()).hasValue(9);
    assertThat(cell.precise()).isFalse();
    assertThat(cell.estimate().n()).isEqualTo(5);
  }

  @Test
  void aCellWithTheTrialsItNeedsIsAsPreciseAsWasAsked() throws IOException {
    Experiment experiment = experiment("repeat-invalid: 0");
    double[] values = {98, 100, 102, 104, 96, 90, 110, 100, 101};
    Precision.Cell cell =
        Precision.of(experiment, results(experiment, "as-found", values)).cells().get(0);
    assertThat(cell.precise()).isTrue();
    double half = Math.log(cell.estimate().high() / cell.estimate().low()) / 2;
    // 2.776445 x 0.0316393 / 3: the first stage's scatter, whatever the second's.
    assertThat(half).isCloseTo(0.0292816323296, within(1e-12)).isLessThan(Math.log(1.03));
  }

  @Test
  void intervalsThatHoldAtEveryLookAreWider() throws IOException {
    Experiment experiment = experiment("repeat-invalid: 0", "always-valid");
    double[] values = {98, 100, 102, 104, 96, 99, 101, 100, 101};
    Precision.Cell cell =
        Precision.of(experiment, results(experiment, "as-found", values)).cells().get(0);
    assertThat(cell.needed()).isEmpty();
    assertThat(cell.precise()).isFalse();
    assertThat(cell.estimate().halfWidth()).isGreaterThan(2.9);
  }

  @Test
  void stopsWhenEveryCellIsPrecise() throws IOException {
    Experiment experiment = experiment("repeat-invalid: 0");
    List<TrialResult> results = results(experiment, "as-found", 100, 100, 101, 100, 100);
    results.addAll(results(experiment, "heavy", 80, 80, 81, 80, 80));
    assertThat(reason(experiment, results, 5, Duration.ZERO))
        .contains("precise: 2 of 2 cells (p95 to +-3%)");
  }

  @Test
  void goesOnWhileOneIsNot() throws IOException {
    Experiment experiment = experiment("repeat-invalid: 0");
    List<TrialResult> results = results(experiment, "as-found", 100, 100, 101, 100, 100);
    results.addAll(results(experiment, "heavy", FIRST_STAGE));
    assertThat(reason(experiment, results, 5, Duration.ZERO)).isEmpty();
    assertThat(reason(experiment, results, 12, Duration.ZERO))
        .contains("12 blocks are the limit; precise: 1 of 2 cells (p95 to +-3%)");
    // A block is 2 trials of 30 s by the trials so far.
    Duration late = Duration.ofHours(8).minusSeconds(59);
    assertThat(reason(experiment, results, 6, late.minusSeconds(1))).isEmpty();
    assertThat(reason(experiment, results, 6, late))
        .contains("another block would not end within 8h; precise: 1 of 2 cells (p95 to +-3%)");
  }

  @Test
  void doesNotWaitForACellThatGivesNothing() throws IOException {
    Experiment experiment = experiment("repeat-invalid: 0");
    List<TrialResult> results = results(experiment, "as-found", 100, 100, 101, 100, 100);
    for (Trial trial : Plan.of(experiment)) {
      if (trial.profile().equals("heavy")) {
        results.add(result(trial, false, 100));
      }
    }
    assertThat(reason(experiment, results, 5, Duration.ZERO))
        .contains("precise: 1 of 2 cells (p95 to +-3%); 1 without any valid trial");
  }

  @Test
  void judgesTheMeanWhereAPercentileIsNotKnown() throws IOException {
    Experiment experiment = experiment("repeat-invalid: 0");
    List<TrialResult> results = results(experiment, "as-found", 100, Double.NaN, 101);
    assertThat(Precision.of(experiment, results).metric()).isEqualTo("mean");
  }

  private static Optional<String> reason(
      Experiment experiment, List<TrialResult> results, int blocks, Duration elapsed) {
    List<Measured> measured = results.stream().map(Measured::of).toList();
    Set<Integer> known =
        measured.stream().map(one -> one.trial().number()).collect(Collectors.toSet());
    Set<Integer> failed =
        Plan.of(experiment, blocks).stream()
            .map(Trial::number)
            .filter(number -> !known.contains(number))
            .collect(Collectors.toSet());
    TrialSource.Answer answer =
        new TrialSource.UntilPrecise(experiment)
            .next(new TrialHistory(List.of(), measured, failed, blocks, elapsed));
    return answer.open().isEmpty() ? Optional.of(answer.reason()) : Optional.empty();
  }

  private static List<Trial> open(Experiment experiment, TrialResult... results) {
    return answer(experiment, List.of(results)).open().stream().map(PlannedTrial::trial).toList();
  }

  private static TrialSource.Answer answer(Experiment experiment, List<TrialResult> results) {
    List<Measured> measured = results.stream().map(Measured::of).toList();
    return TrialSource.of(experiment)
        .next(new TrialHistory(List.of(), measured, Set.of(), 0, Duration.ZERO));
  }

  private static List<TrialResult> results(
      Experiment experiment, String profile, double... values) {
    List<TrialResult> results = new ArrayList<>();
    for (Trial trial : Plan.of(experiment, 12)) {
      if (trial.profile().equals(profile) && trial.block() <= values.length) {
        results.add(result(trial, true, values[trial.block() - 1]));
      }
    }
    return results;
  }

  private static TrialResult result(Trial trial, boolean valid, double p95) {
    LoadResult load =
        UncountedLoad.of(
            "total",
            300,
            0,
            Map.of(),
            5,
            p95 / 2,
            1,
            p95 / 2,
            p95,
            Double.NaN,
            0,
            "",
            List.of(),
            List.of(),
            Mser5.of());
    return new TrialResult(
        trial,
        valid ? List.of() : List.of(new Finding(Rule.ERRORS, true, "errors 3 % > 0.5 %", "")),
        List.of(),
        new TrialTimes(WINDOW, WINDOW, Map.of("warm up", 20.0, "measure", 10.0)),
        TrialHost.of(4, Map.of()),
        TrialLoad.of(load),
        List.of(
            HypervisorShares.observation(
                new MonitorResult("xenmon", WINDOW, List.of(), List.of(), List.of()))));
  }

  private Experiment experiment(String limit) throws IOException {
    return experiment(limit, "two-stage");
  }

  private Experiment experiment(String limit, String rule) throws IOException {
    return ExperimentFiles.read(
        Files.writeString(
            directory.resolve("shop.yaml"),
            """
            name: shop
            host: {address: dom0.example}
            domains: {main: [web]}
            profiles:
              - as-found
              - {name: heavy, scheduler: credit, main: {weight: 512}}
            workload: {name: web-app, target: "http://web.example/"}
            users: [10]
            repetitions: 5
            stop: {precision: 3%%, rule: %s, within: {trials: 12, time: 8h}}
            limits: {%s}
            """
                .formatted(rule, limit)));
  }
}
