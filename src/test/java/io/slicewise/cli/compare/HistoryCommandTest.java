package io.slicewise.cli.compare;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.slicewise.base.json.Json;
import io.slicewise.cli.CommandLines;
import io.slicewise.cli.CommandLines.Said;
import io.slicewise.cli.screens.ExitCode;
import io.slicewise.host.HypervisorVersion;
import io.slicewise.run.RecordedRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Protects the nightly alarm: a regression is told once, on the night that first shows it, and only
 * nights that can be compared are in one series.
 */
class HistoryCommandTest {
  private static final Instant FIRST = Instant.parse("2026-10-01T21:00:00Z");

  @TempDir private Path directory;

  /** A night: three trials of w256 around that p95. */
  private RecordedRun night(int number, String experiment, double p95) {
    String name = String.format(Locale.ROOT, "night-%02d", number);
    RecordedRun run =
        RecordedRun.begin(directory.resolve(name), experiment, FIRST.plus(Duration.ofDays(number)));
    Random random = new Random(number);
    for (int block = 1; block <= 3; block++) {
      double x = p95 * Math.exp(0.01 * random.nextGaussian());
      run.trial(block, "w256", 300, block, 300_000 / x, x);
    }
    return run;
  }

  private void nights(int from, int to, double p95) {
    for (int number = from; number <= to; number++) {
      night(number, RecordedRun.EXPERIMENT, p95).end();
    }
  }

  private Said history(String... more) {
    List<String> arguments = new ArrayList<>(List.of("history", directory.toString()));
    arguments.addAll(Arrays.asList(more));
    return CommandLines.run(arguments.toArray(String[]::new));
  }

  @Test
  void regressionIsToldOnceOnTheNightThatFirstShowsIt() {
    nights(1, 12, 200);
    assertThat(history("--fail-on", "worse").exit()).isZero();
    List<Integer> alarms = new ArrayList<>();
    for (int number = 13; number <= 20; number++) {
      nights(number, number, 230);
      if (history("--fail-on", "worse").exit() == ExitCode.WORSE.code()) {
        alarms.add(number);
      }
    }
    assertThat(alarms).hasSize(1).allMatch(number -> number >= 15 && number <= 17);
    Said said = history();
    assertThat(said.out())
        .containsPattern(
            "^NO NEW CHANGE of p95, still 1\\d\\.\\d % worse since night-13 \\(w256, 300"
                + " users\\)\\n")
        .contains("shop: w256, 300 users   20 nights on root@dom0.example, Xen 4.17")
        .containsPattern(
            "  WORSE since night-13 \\(night 13 of 20\\): 20\\d ms -> 2\\d\\d ms, \\+1")
        .doesNotContain("NEW  ");
    assertThat(said.out().lines()).allMatch(line -> line.length() <= 100);
  }

  /** Two runs of one evening are two runs; their goal decides here as it does in each of them. */
  @Test
  void goalOfTheExperimentsDecidesAndRunsOfOneEveningAreNoNights() {
    String experiment = RecordedRun.EXPERIMENT + "goal: lowest mean\n";
    night(1, experiment, 200).end();
    RecordedRun second =
        RecordedRun.begin(
            directory.resolve("second"),
            experiment,
            FIRST.plus(Duration.ofDays(1)).plus(Duration.ofMinutes(76)));
    for (int block = 1; block <= 3; block++) {
      second.trial(block, "w256", 300, block, 1500, 200 + block);
    }
    second.end();
    assertThat(history().out())
        .startsWith("NO NEW CHANGE of mean\n")
        .contains("w256, 300 users   2 runs on root@dom0.example")
        .doesNotContain("nights on");
  }

  @Test
  void simulatedRunsHaveAHistoryThatSaysWhatTheyAre() throws IOException {
    String experiment =
        """
        name: model
        host: {address: dom0.example, user: root}
        domains: {main: [web]}
        profiles:
          - {name: w256, scheduler: credit, main: {weight: 256}}
        workload: {name: web-app, target: "http://web.example/"}
        users: [5]
        repetitions: 1
        warm-up: 1s
        ramp: 1s
        measure: 5s
        """;
    Path file = Files.writeString(directory.resolve("model.yaml"), experiment);
    Path results = directory.resolve("simulated");
    for (int seed = 1; seed <= 2; seed++) {
      Said run =
          CommandLines.run(
              "simulate", file.toString(), "--seed", "" + seed, "--results", results.toString());
      assertThat(run.exit()).as(run.err()).isZero();
    }
    Path page = directory.resolve("history.html");
    Said said =
        CommandLines.run("history", results.toString(), "--metric", "mean", "--page", "" + page);
    assertThat(said.exit()).isZero();
    assertThat(said.out())
        .startsWith("NO NEW CHANGE of mean\n")
        .contains("w256, 5 users   2 simulated runs; simulated, not measured:")
        .contains("simulated runs were computed, not measured")
        .doesNotContain("left out", "night");
    assertThat(Files.readString(page)).contains("<span class=\"origin origin-simulated\">");
  }

  @Test
  void improvementAndTriflesRaiseNoAlarm() {
    nights(1, 12, 200);
    nights(13, 17, 180);
    Said better = history("--fail-on", "worse");
    assertThat(better.exit()).isZero();
    assertThat(better.out()).contains("BETTER since night-13");
    assertThat(history("--band", "15%").out()).contains("same since night-13");
    assertThat(history("--metric", "throughput").out()).contains("BETTER since night-13");
  }

  @Test
  void anotherHostOrAnotherWindowIsAnotherSeries() {
    nights(1, 9, 200);
    night(10, RecordedRun.EXPERIMENT, 260).on(HypervisorVersion.of(4, 18), 16).end();
    night(11, RecordedRun.EXPERIMENT + "measure: 5m\n", 260).end();
    night(12, RecordedRun.EXPERIMENT.replace("weight: 256", "weight: 300"), 260).end();
    Said said = history("--fail-on", "undecided");
    assertThat(said.exit()).isEqualTo(ExitCode.UNDECIDED.code());
    assertThat(said.out())
        .contains("9 nights on root@dom0.example, Xen 4.17")
        .contains("1 night on root@dom0.example, Xen 4.18")
        .contains("each of the 4 series")
        .contains("differs from the earlier series of the same name: Xen 4.17 / 4.18\n")
        .contains("the same name: Xen 4.18 / 4.17; measure 3m / 5m\n")
        .contains("5m / 3m; web credit weight 256 cap 0 /\n")
        .contains("fewer than 10 nights: too few to detect a change");
  }

  @Test
  void everyFormTellsTheSame() throws IOException {
    nights(1, 12, 200);
    nights(13, 16, 230);
    JsonNode json = Json.mapper().readTree(history("--format", "json", "--fail-on", "worse").out());
    JsonNode shift = json.at("/history/series/0/shifts/0");
    assertThat(shift.at("/index").asInt()).isEqualTo(12);
    assertThat(history("--format", "csv").out().lines().skip(13).findFirst().orElseThrow())
        .startsWith("shop,root@dom0.example,measured,w256,300,p95,night-13,2026-10-14T21:00:00Z,")
        .contains("," + shift.at("/percent").asText() + "," + shift.at("/p").asText() + ",worse,");
    night(17, RecordedRun.EXPERIMENT + "measure: 5m\n", 230).end();
    assertThat(history("--format", "csv").out().lines().skip(16))
        .satisfiesExactly(
            last -> assertThat(last).contains("night-16").endsWith(",1"),
            other -> assertThat(other).contains("night-17").endsWith(",2"));
    assertThat(history("--format", "markdown").out()).contains("| w256 | 300 | 16 |", "night-13");
    assertThat(history("--plain").out()).containsPattern("\\n  [0-9]{16}\\n");
  }

  @Test
  void aNightThatASeriesLacksIsNamedAndSoIsWhyTheMetricIsAnother() {
    night(1, RecordedRun.EXPERIMENT, 200).trial(9, "w512", 300, 1, 100, 180).end();
    night(2, RecordedRun.EXPERIMENT, 200).end();
    assertThat(history().out())
        .contains("left out: night-02: no valid trial with known p95 of w512 at 300 users\n")
        .doesNotContain("left out: night-01")
        .doesNotContain("both at");
    RecordedRun.begin(directory.resolve("night-03"), RecordedRun.EXPERIMENT)
        .trial(1, "w256", 300, 1, 100, Double.NaN)
        .end();
    Said said = history();
    assertThat(said.out()).startsWith("NO NEW CHANGE of mean");
    assertThat(said.err()).startsWith("using mean: p95 is unknown in some trials of night-03;");
    assertThat(history("--metric", "p95").err()).isEmpty();
  }

  @Test
  void saysWhatIsMissing() {
    night(1, RecordedRun.EXPERIMENT, 200).end();
    assertThat(history("--profile", "w512").exit()).isEqualTo(ExitCode.NO_VALID_DATA.code());
    assertThat(history("--profile", "w512").out()).contains("left out: night-01: no valid trial");
    assertThat(CommandLines.run("history", directory.resolve("none").toString()).exit())
        .isEqualTo(ExitCode.USAGE.code());
  }
}
