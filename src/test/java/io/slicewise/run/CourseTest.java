package io.slicewise.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.slicewise.base.units.Window;
import io.slicewise.experiment.Experiment;
import io.slicewise.experiment.ExperimentFiles;
import io.slicewise.experiment.Plan;
import io.slicewise.experiment.Stop;
import io.slicewise.experiment.Trial;
import io.slicewise.host.monitor.HypervisorShares;
import io.slicewise.host.monitor.MonitorResult;
import io.slicewise.run.validity.Finding;
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
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Protects what a run does next: invalid trials come again as often as the limits allow and no
 * longer, and blocks are added until cells are precise by a rule that covers, or a bound is
 * reached.
 */
class CourseTest {
  private static final Window WINDOW =
      new Window(Instant.parse("2026-11-20T21:00:00Z"), Instant.parse("2026-11-20T21:01:00Z"));
  private static final double[] FIRST_STAGE = {98, 100, 102, 104, 96};

  @TempDir Path directory;

  @Test
  void anInvalidTrialIsTriedAgainAsOftenAsTheLimitsAllow() throws IOException {
    Experiment experiment = experiment("repeat-invalid: 2");
    Course course = new Course(experiment, List.of());
    Trial planned = Plan.of(experiment).get(0);
    course.add(result(planned, false, 100));
    assertThat(course.attempt(planned)).contains(planned.attempt(2));
    course.add(result(planned.attempt(2), false, 100));
    assertThat(course.attempt(planned)).contains(planned.attempt(3));
    course.add(result(planned.attempt(3), false, 100));
    assertThat(course.attempt(planned)).isEmpty();
  }

  @Test
  void aValidAttemptIsTheLast() throws IOException {
    Experiment experiment = experiment("repeat-invalid: 2");
    Trial planned = Plan.of(experiment).get(0);
    Course course =
        new Course(
            experiment,
            List.of(result(planned, false, 100), result(planned.attempt(2), true, 100)));
    assertThat(course.attempt(planned)).isEmpty();
  }

  @Test
  void aCellThatNeverWasValidIsNotTriedAgainInLaterBlocks() throws IOException {
    Experiment experiment = experiment("repeat-invalid: 1");
    List<Trial> cell =
        Plan.of(experiment).stream().filter(trial -> trial.profile().equals("heavy")).toList();
    Course course = new Course(experiment, List.of());
    course.add(result(cell.get(0), false, 100));
    course.add(result(cell.get(0).attempt(2), false, 100));
    assertThat(course.attempt(cell.get(1))).contains(cell.get(1));
    course.add(result(cell.get(1), false, 100));
    assertThat(course.attempt(cell.get(1))).isEmpty();
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
    Stop stop = experiment.stop().orElseThrow();
    return new Course(experiment, results).reasonToStop(stop, blocks, elapsed);
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
        new LoadResult(
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
