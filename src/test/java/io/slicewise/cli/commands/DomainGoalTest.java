package io.slicewise.cli.commands;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.slicewise.base.json.Json;
import io.slicewise.base.units.Window;
import io.slicewise.cli.CommandLines;
import io.slicewise.cli.CommandLines.Said;
import io.slicewise.experiment.Trial;
import io.slicewise.experiment.WindowPlace;
import io.slicewise.experiment.load.Load;
import io.slicewise.host.monitor.DomainShares;
import io.slicewise.host.monitor.HypervisorShares;
import io.slicewise.host.monitor.MonitorResult;
import io.slicewise.run.RecordedRun;
import io.slicewise.run.RunDirectory;
import io.slicewise.run.result.TrialHost;
import io.slicewise.run.result.TrialLoad;
import io.slicewise.run.result.TrialResult;
import io.slicewise.run.result.TrialTimes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Protects goals and guards on a domain's vCPU time where nothing is loaded: what the trials or
 * windows of a run show, what is recommended, and how two such runs compare.
 */
class DomainGoalTest {
  private static final Instant NIGHT = Instant.parse("2026-11-20T21:00:00Z");
  private static final Window WINDOW = new Window(NIGHT, NIGHT.plusSeconds(60));

  private static final String EXPERIMENT =
      """
      name: shop
      host: {address: dom0.example, user: root}
      domains: {main: [web], other: [db]}
      profiles:
        - as-found
        - {name: w512, scheduler: credit, main: {weight: 512}}
        - {name: w4096, scheduler: credit, main: {weight: 4096}}
      workload: observe
      goal: lowest wait share of web
      guard: {run share of db: -10%}
      """;

  @TempDir private Path directory;

  /** The share in which web waits and db runs, by profile. */
  private static final Map<String, double[]> SHARES =
      Map.of(
          "as-found", new double[] {0.2, 0.4},
          "w512", new double[] {0.12, 0.39},
          "w4096", new double[] {0, 0.2});

  private RunDirectory run(String name, String design, double slower) {
    return run(name, design, slower, 0);
  }

  /** A run in which the monitor read no domain during the trial of a number. */
  private RunDirectory run(String name, String design, double slower, int unread) {
    RecordedRun run = RecordedRun.begin(directory.resolve(name), EXPERIMENT + design);
    Random random = new Random(16);
    int number = 1;
    for (int block = 1; block <= 6; block++) {
      for (String profile : List.of("as-found", "w512", "w4096")) {
        double wait = slower * SHARES.get(profile)[0] * Math.exp(0.02 * random.nextGaussian());
        double other = SHARES.get(profile)[1];
        Trial trial = new Trial(number, block, profile, Load.of(0), block);
        run.trial(
            result(
                design.contains("switchback")
                    ? trial.at(new WindowPlace(1, block, number % 3 + 1))
                    : trial,
                number == unread
                    ? new DomainShares[0]
                    : new DomainShares[] {
                      new DomainShares("web", 1, 1, 0.4, wait, 0.6 - wait, ""),
                      new DomainShares("db", 2, 1, other, 0.1, 0.9 - other, "")
                    }));
        number++;
      }
    }
    return run.end();
  }

  private static TrialResult result(Trial trial, DomainShares... shares) {
    return new TrialResult(
        trial,
        new TrialTimes(WINDOW, WINDOW, Map.of()),
        TrialHost.of(4, Map.of()),
        new TrialLoad(Optional.empty(), List.of(), List.of()),
        List.of(
            HypervisorShares.observation(
                new MonitorResult("xenmon", WINDOW, List.of(shares), List.of(), List.of()))));
  }

  private static Said said(String... words) {
    return CommandLines.run(words);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "repetitions: 6\n",
        "design: {kind: switchback, sessions: 1, blocks: 6, window: 60s}\n"
      })
  void theLeastWaitWithinTheGuardIsRecommended(String design) throws IOException {
    RunDirectory run = run("run", design, 1);
    JsonNode compared =
        Json.mapper().readTree(said("compare", run.root().toString(), "--format", "json").out());
    JsonNode first = compared.at("/comparison/comparisons/0");
    assertThat(first.at("/metric").asText()).isEqualTo("wait share of web");
    assertThat(first.at("/profile").asText()).isEqualTo("w512");
    assertThat(first.at("/verdict").asText()).isEqualTo("better");
    assertThat(first.at("/mean").asDouble()).isBetween(11.0, 13.0);

    Said advice = said("recommend", run.root().toString());
    assertThat(advice.out().replaceAll("\\s+", " "))
        .contains("ANSWER Use w512: wait share of web ")
        .contains("weight(web) 256 -> 512, the only difference")
        .contains("run share of db 40.0 -> 39.0 %")
        .contains("guard met (10 % worse allowed)")
        .containsPattern(
            "w4096, no generated load: run share of db 40.0 -> 20.0 %[^:]*: GUARD BROKEN");

    assertThat(said("report", run.root().toString()).exit()).isZero();
    assertThat(Files.readString(run.root().resolve("report.html")))
        .contains("\"primary\":\"wait share of web\"");
  }

  @Test
  void twoRunsAreComparedInTheirGoal() {
    String before = run("before", "repetitions: 6\n", 1).root().toString();
    String after = run("after", "repetitions: 6\n", 1.3).root().toString();
    Said compared = said("compare", before, after);
    assertThat(compared.out().replaceAll("\\s+", " "))
        .contains("WORSE: as-found at no generated load")
        .containsPattern("wait share of web % 20.\\d 2[56].\\d \\+30.0");
    assertThat(said("compare", before, "--metric", "blocked share of db").out())
        .contains("blocked share of db %");
    assertThat(said("compare", before, "--metric", "idle share of db").err())
        .contains("is not a metric; metrics are throughput, ")
        .contains("'wait share of DOMAIN'");
  }

  @Test
  void twoRunsAreComparedInTheirGoalThoughOneTrialLacksIt() {
    String before = run("before", "repetitions: 6\n", 1).root().toString();
    String after = run("after", "repetitions: 6\n", 1.3, 5).root().toString();
    assertThat(said("compare", before, after).out().replaceAll("\\s+", " "))
        .contains("WORSE: as-found at no generated load")
        .doesNotContain("decided by");
  }
}
