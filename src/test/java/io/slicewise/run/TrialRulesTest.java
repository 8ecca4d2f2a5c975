package io.slicewise.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.slicewise.base.units.Window;
import io.slicewise.experiment.Experiment;
import io.slicewise.experiment.Plan;
import io.slicewise.experiment.file.ExperimentFiles;
import io.slicewise.host.monitor.HypervisorShares;
import io.slicewise.host.monitor.MonitorResult;
import io.slicewise.load.jtl.Reduction;
import io.slicewise.run.result.LoadResult;
import io.slicewise.run.result.LoadResults;
import io.slicewise.run.result.TrialHost;
import io.slicewise.run.result.TrialLoad;
import io.slicewise.run.result.TrialResult;
import io.slicewise.run.result.TrialTimes;
import io.slicewise.run.validity.Judgement;
import io.slicewise.run.validity.Judgement.Finding;
import io.slicewise.run.validity.Rule;
import io.slicewise.stats.Mser5;
import io.slicewise.workload.Turns;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Protects what the rules of validity are told of a trial: whole seconds, and whether it waits. */
class TrialRulesTest {
  private static final Instant START = Instant.parse("2026-11-20T21:00:00Z");

  /** The harness's own: a moment longer than the 30 s that were asked for. */
  private static final Window WINDOW = new Window(START, START.plusMillis(30_004));

  @TempDir Path directory;

  @Test
  void theMomentBehindTheLastWholeSecondIsNoSlowSecond() throws IOException {
    List<Reduction.Second> series =
        IntStream.rangeClosed(0, 30)
            .mapToObj(s -> second(s, s == 30 ? 0 : s < 10 ? 102 : 100))
            .toList();
    Mser5 told = Mser5.of(series.stream().mapToDouble(Reduction.Second::samples).toArray());
    assertThat(told.cut()).isEqualTo(10);
    assertThat(judge("", 100, series).findings()).isEmpty();
  }

  @Test
  void batchesHoldWholeSecondsOnly() {
    Window window = new Window(START, START.plusMillis(24_004));
    List<Reduction.Second> series =
        IntStream.rangeClosed(0, 24).mapToObj(s -> second(s, s == 24 ? 0 : 100)).toList();
    assertThat(LoadResults.wholeSeconds(series, window)).hasSize(24).allMatch(n -> n == 100);
  }

  @Test
  void littlesLawHoldsOfClosedLoadsAlone() throws IOException {
    assertThat(judge("", 200, List.of()).findings())
        .extracting(Finding::rule)
        .containsExactly(Rule.LITTLES_LAW);
    assertThat(judge("properties: {rate: 0}", 200, List.of()).findings())
        .extracting(Finding::rule)
        .containsExactly(Rule.LITTLES_LAW);
    assertThat(judge("properties: {rate: 100}", 200, List.of()).findings()).isEmpty();
  }

  @Test
  void measuredPausesAndAllRequestsBelongToLittlesLawWhateverIsCounted() throws IOException {
    // 10 users: 4500 requests in 30 s take 40 ms each, after pauses of 26.7 ms.
    Turns turns = new Turns(4500, 40, 26.7);
    assertThat(judge("", 200, List.of(), Optional.of(turns)).findings()).isEmpty();
    assertThat(judge("", 200, List.of(), Optional.of(new Turns(4500, 40, 0))).findings())
        .extracting(Finding::rule)
        .containsExactly(Rule.LITTLES_LAW);
  }

  private static Reduction.Second second(int second, long samples) {
    return new Reduction.Second(second, samples, 0, 100, 200, 10);
  }

  private Judgement judge(String workload, double meanMillis, List<Reduction.Second> series)
      throws IOException {
    return judge(workload, meanMillis, series, Optional.empty());
  }

  /** Ten users and a hundred requests a second, of that mean response time. */
  private Judgement judge(
      String workload, double meanMillis, List<Reduction.Second> series, Optional<Turns> turns)
      throws IOException {
    Experiment experiment =
        ExperimentFiles.read(
            Files.writeString(
                directory.resolve("shop.yaml"),
                """
                name: shop
                host: {address: dom0.example}
                domains: {main: [web]}
                profiles: [as-found]
                users: [10]
                workload:
                  name: web-app
                  target: "http://web.example/"
                  %s
                """
                    .formatted(workload)));
    LoadResult load =
        new LoadResult(
            "total",
            3000,
            0,
            Map.of(),
            100,
            meanMillis,
            1,
            meanMillis,
            meanMillis,
            Double.NaN,
            0,
            "",
            List.of(),
            series,
            Mser5.of(),
            "requests",
            turns);
    return TrialRules.judge(
        experiment,
        new TrialResult(
            Plan.of(experiment).get(0),
            List.of(),
            List.of(),
            new TrialTimes(WINDOW, WINDOW, Map.of()),
            TrialHost.of(4, Map.of()),
            TrialLoad.of(load),
            List.of(
                HypervisorShares.observation(
                    new MonitorResult("xenmon", WINDOW, List.of(), List.of(), List.of())))));
  }
}
