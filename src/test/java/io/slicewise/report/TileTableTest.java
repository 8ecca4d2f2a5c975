package io.slicewise.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.slicewise.evidence.analysis.Summaries;
import io.slicewise.evidence.analysis.SweepSummary;
import io.slicewise.evidence.analysis.Trials;
import io.slicewise.experiment.Experiment;
import io.slicewise.experiment.Trial;
import io.slicewise.experiment.file.ExperimentFiles;
import io.slicewise.report.table.Cell;
import io.slicewise.report.table.Table;
import io.slicewise.run.UncountedLoad;
import io.slicewise.run.result.LoadResult;
import io.slicewise.run.result.TrialResult;
import io.slicewise.stats.Mser5;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Protects the verdict on each tile: by the whole interval and its own limit, and never on what
 * some trials did not measure.
 */
class TileTableTest {
  @TempDir private Path directory;

  private Experiment experiment(String shop, String batch) throws IOException {
    return ExperimentFiles.read(
        Files.writeString(
            directory.resolve("tiles.yaml"),
            """
            name: tiles
            host: {address: dom0}
            domains: {main: [shop, b]}
            profiles: [as-found]
            workload:
              name: tiles
              tiles:
                - {name: shop, users: 5, goal: %s, workload: {name: web-app, target: http://s/}}
                - {name: batch, guests: [b], rate: 3, goal: %s, workload: {name: web-app, target: http://b/}}
            """
                .formatted(shop, batch)));
  }

  private static LoadResult load(
      String label, long samples, double rate, double p95, double p99, List<LoadResult> labels) {
    return UncountedLoad.of(
        label,
        samples,
        0,
        Map.of(),
        rate,
        40,
        1,
        40,
        p95,
        p99,
        0,
        "",
        labels,
        List.of(),
        Mser5.of());
  }

  /** A trial in which the shop had that p95, and its batch that p99. */
  private static TrialResult trial(Experiment experiment, int number, double p95, double p99) {
    List<LoadResult> tiles =
        List.of(
            load("shop", 240 + number, 4, p95, Double.NaN, List.of()),
            load("batch", 60, 3, Double.NaN, p99, List.of()));
    return Trials.result(
        new Trial(number, number, "as-found", experiment.loads().get(0), number),
        List.of(),
        load("total", 300 + number, 7, 90, Double.NaN, tiles));
  }

  /** Returns what the table shows of both tiles in three trials with these times. */
  private static List<List<String>> rows(Experiment experiment, double[] p95, double... p99) {
    List<TrialResult> results =
        IntStream.range(0, p95.length)
            .mapToObj(i -> trial(experiment, i + 1, p95[i], p99[i]))
            .toList();
    SweepSummary summary = Summaries.summarise(experiment, results, List.of());
    Table table = TileTable.of(summary, experiment, results, List.of()).orElseThrow();
    return table.rows().stream().map(row -> row.stream().map(Cell::shown).toList()).toList();
  }

  @Test
  void eachTileHasItsLoadItsNumbersAndItsVerdict() throws IOException {
    double nan = Double.NaN;
    double[] quick = {71, 72, 73};
    assertThat(rows(experiment("p95 < 90ms", "throughput > 2/s"), quick, nan, nan, nan))
        .containsExactly(
            List.of(
                "100",
                "as-found",
                "3",
                "shop",
                "5 users",
                "241",
                "4.0 ±0.0",
                "40.0 ±0.0",
                "72.0 ±2.5",
                "p95 < 90 ms",
                "holds",
                "20.0"),
            List.of(
                "100",
                "as-found",
                "3",
                "batch",
                "3 arrivals/s",
                "60",
                "3.0 ±0.0",
                "40.0 ±0.0",
                "–",
                "throughput > 2 /s",
                "holds",
                "50.0"));
  }

  @Test
  void aGoalFailsBeyondItsLimitAndIsUnclearWhereItIsNotKnown() throws IOException {
    double nan = Double.NaN;
    double[] slow = {98, 99, 100};
    double[] both = {80, 90, 103};
    Experiment experiment = experiment("p95 < 90ms", "p99 < 100ms");
    assertThat(verdicts(experiment, slow, 50, 50, 50)).containsExactly("fails -10.0", "holds 50.0");
    assertThat(verdicts(experiment, both, 50, nan, 50))
        .containsExactly("unclear -1.1", "unclear 50.0");
    assertThat(verdicts(experiment, slow, nan, nan, nan)).containsExactly("fails -10.0", "– –");
  }

  private static List<String> verdicts(Experiment experiment, double[] p95, double... p99) {
    return rows(experiment, p95, p99).stream()
        .map(row -> row.get(row.size() - 2) + " " + row.get(row.size() - 1))
        .toList();
  }
}
