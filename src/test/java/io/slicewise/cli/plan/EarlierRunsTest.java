package io.slicewise.cli.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.slicewise.cli.plan.PlanCommand.EarlierRuns;
import io.slicewise.evidence.analysis.CellSummary;
import io.slicewise.evidence.analysis.Metric;
import io.slicewise.experiment.load.Load;
import io.slicewise.run.RunDirectory;
import io.slicewise.run.SyntheticRun;
import io.slicewise.stats.Estimate;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The scatter that planning rests on is pooled over cells by their degrees of freedom. */
class EarlierRunsTest {
  @Test
  void poolsCellsByDegreesOfFreedom() {
    List<CellSummary> cells =
        List.of(cell(100, 3, 3), cell(200, 12, 5), cell(50, Double.NaN, 1), empty());
    // sqrt((2 * 0.03^2 + 4 * 0.06^2) / 6)
    assertThat(EarlierRuns.scatter(cells, 2))
        .hasValueSatisfying(
            scatter -> {
              assertThat(scatter.cv()).isCloseTo(0.0519615242, within(1e-9));
              assertThat(scatter.source()).isEqualTo("p95 of 8 trials in 2 earlier runs");
            });
  }

  @Test
  void reportsWhatIsDamagedOfTheRunsItReads(@TempDir Path directory) throws IOException {
    String experiment =
        """
        name: shop
        host: {address: dom0.example, user: root}
        domains: {main: [web]}
        profiles: [as-found]
        workload: {name: web-app, target: "http://web.example/"}
        users: [50]
        repetitions: 4
        """;
    RunDirectory run = SyntheticRun.write(directory, experiment, 10, 2000, List.of());
    StringWriter errors = new StringWriter();
    assertThat(EarlierRuns.scatter(List.of(directory), new PrintWriter(errors)).source())
        .isEqualTo("p95 of 4 trials in an earlier run");
    assertThat(errors.toString()).isEmpty();
    Path record = run.trialDirectory(run.results().get(0).trial().slug()).resolve("trial.json");
    Files.writeString(
        record, Files.readString(record).replaceFirst("\"samples\" : 1", "\"samples\" : 2"));
    assertThat(EarlierRuns.scatter(List.of(directory), new PrintWriter(errors)).source())
        .isEqualTo("p95 of 3 trials in an earlier run");
    assertThat(errors.toString()).contains("is damaged:", "trial.json");
  }

  @Test
  void knowsNothingFromSingleTrials() {
    assertThat(EarlierRuns.scatter(List.of(cell(50, Double.NaN, 1), empty()), 1)).isEmpty();
  }

  private static CellSummary cell(double mean, double deviation, int n) {
    Estimate estimate = new Estimate(mean, deviation, n, Double.NaN, Double.NaN, 0.95);
    return new CellSummary(
        "p", Load.of(25), n, Map.of(Metric.P95, estimate), List.of(), List.of(), List.of());
  }

  private static CellSummary empty() {
    return new CellSummary("q", Load.of(25), 0, Map.of(), List.of(), List.of(), List.of());
  }
}
