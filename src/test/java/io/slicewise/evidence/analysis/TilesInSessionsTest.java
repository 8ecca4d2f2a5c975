package io.slicewise.evidence.analysis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.slicewise.experiment.Experiment;
import io.slicewise.experiment.Trial;
import io.slicewise.experiment.WindowPlace;
import io.slicewise.experiment.file.ExperimentFiles;
import io.slicewise.run.UncountedLoad;
import io.slicewise.run.result.LoadResult;
import io.slicewise.run.result.LoadResults;
import io.slicewise.run.result.TrialResult;
import io.slicewise.stats.Mser5;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Protects: short windows of a session are pooled tile by tile, as other percentiles are. */
class TilesInSessionsTest {
  @TempDir private Path directory;

  private Experiment experiment() throws IOException {
    return ExperimentFiles.read(
        Files.writeString(
            directory.resolve("tiles.yaml"),
            """
            name: tiles
            host: {address: dom0}
            domains: {main: [shop, b]}
            profiles: [as-found, {name: heavy, scheduler: credit, main: {weight: 512}}]
            workload:
              name: tiles
              tiles:
                - {name: shop, users: 5, goal: p95 < 400ms, workload: {name: web-app, target: http://s/}}
                - {name: batch, guests: [b], rate: 3, goal: mean < 100ms, workload: {name: web-app, target: http://b/}}
            design: {kind: switchback, sessions: 2, blocks: 2, window: 10s, wash-out: 1s}
            goal: worst goal
            """));
  }

  private static LoadResult load(String label, int samples, long millis, List<LoadResult> labels) {
    Histogram histogram = new Histogram(3);
    histogram.recordValueWithCount(millis, samples);
    return UncountedLoad.of(
        label,
        samples,
        0,
        Map.of(),
        samples / 10.0,
        (double) millis,
        0,
        (double) millis,
        Double.NaN,
        Double.NaN,
        0,
        LoadResults.encode(histogram),
        labels,
        List.of(),
        Mser5.of());
  }

  /** Two windows of each profile in each of two sessions; a tile has no p95 of its own. */
  private static List<TrialResult> windows(Experiment experiment, int samples) {
    List<TrialResult> windows = new ArrayList<>();
    for (int session = 1; session <= 2; session++) {
      for (int block = 1; block <= 2; block++) {
        for (String profile : Summaries.profileNames(experiment)) {
          long millis = profile.equals("heavy") ? 300 + 4 * session : 200 + 2 * session;
          int number = windows.size() + 1;
          windows.add(
              Trials.result(
                  new Trial(number, 2 * session + block, profile, experiment.loads().get(0), block)
                      .at(new WindowPlace(session, block, 1 + windows.size() % 2)),
                  List.of(),
                  load(
                      "total",
                      samples + 30,
                      millis,
                      List.of(
                          load("shop", samples, millis, List.of()),
                          load("batch", 30, 25, List.of())))));
        }
      }
    }
    return windows;
  }

  @Test
  void theWindowsOfASessionKnowTogetherHowNearItsTilesAre() throws IOException {
    Experiment experiment = experiment();
    List<TrialResult> windows = windows(experiment, 120);
    Metric worst = Metric.of(experiment.aim().goal().orElseThrow());
    CellTrials heavy = CellTrials.of(experiment, windows).get(1);

    assertThat(heavy.observed(worst)).isEmpty();
    assertThat(heavy.tile("shop").values(Metric.P95)).containsExactly(304, 308);
    assertThat(heavy.values(worst)).containsExactly(0.76, 0.77);
    assertThat(Question.of(experiment, windows).primary()).isEqualTo(worst);
    assertThat(Summaries.summarise(experiment, windows, List.of()).notes())
        .noneMatch(note -> note.startsWith("decided by"));
    assertThat(Comparisons.of(experiment, windows, Question.of(experiment, windows)))
        .anySatisfy(
            one -> {
              assertThat(one.metric()).isEqualTo(worst);
              assertThat(one.change().percent()).isCloseTo(50, within(1.0));
            });
  }

  @Test
  void sessionsThatAreTooShortSayWhatDecidesInstead() throws IOException {
    Experiment experiment = experiment();
    assertThat(Summaries.summarise(experiment, windows(experiment, 90), List.of()).notes())
        .contains(
            "decided by mean: the goal's worst goal is unknown in 4 of 4 results of a profile in a"
                + " session, in which a tile has too few samples");
  }
}
