package io.slicewise.sweep;

import static org.assertj.core.api.Assertions.assertThat;

import io.slicewise.experiment.Experiment;
import io.slicewise.experiment.ExperimentFiles;
import io.slicewise.experiment.Plan;
import io.slicewise.experiment.Trial;
import io.slicewise.stats.Estimate;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
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

  private List<Precision> simulate(String rule, double scatter) throws IOException {
    Experiment experiment = experiment(rule);
    List<Trial> plan = Plan.of(experiment, Plan.mostBlocks(experiment));
    Random random = new Random(20260814);
    List<Precision> ends = new ArrayList<>();
    for (int round = 0; round < ROUNDS; round++) {
      ends.add(oneRun(experiment, plan, random, scatter));
    }
    return ends;
  }

  private static Precision oneRun(
      Experiment experiment, List<Trial> plan, Random random, double scatter) {
    Course course = new Course(experiment, List.of());
    for (Trial trial : plan) {
      double p95 = TRUTH * Math.exp(scatter * random.nextGaussian());
      course.add(new Measured(trial, true, p95, p95 / 2, 10));
      boolean over =
          trial.block() >= experiment.repetitions()
              && course
                  .reasonToStop(experiment.stop().orElseThrow(), trial.block(), Duration.ZERO)
                  .isPresent();
      if (over) {
        break;
      }
    }
    return course.precision().orElseThrow();
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

  private Experiment experiment(String rule) throws IOException {
    return ExperimentFiles.read(
        Files.writeString(
            directory.resolve("shop.yaml"),
            """
            name: shop
            host: {address: dom0.example}
            domains: {main: [web]}
            profiles: [as-found]
            workload: {name: web-app, target: "http://web.example/"}
            users: 10
            repetitions: 5
            stop: {precision: 3%%, rule: %s, within: {trials: 12, time: 8h}}
            """
                .formatted(rule)));
  }
}
