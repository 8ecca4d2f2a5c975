package io.slicewise.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.slicewise.base.json.Json;
import io.slicewise.cli.CommandLines.Said;
import io.slicewise.experiment.Trial;
import io.slicewise.experiment.load.Load;
import io.slicewise.run.RecordedRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * One sweep answers which profile is best at how many neighbours, and what they cost: on every
 * screen and in every file, with intervals from within blocks.
 */
class NeighbourSweepTest {
  private static final String EXPERIMENT =
      """
      name: neighbours
      host: {address: dom0.example, user: root}
      domains: {main: [web], other: [db]}
      profiles:
        - {name: w256, scheduler: credit, main: {weight: 256}}
        - {name: w1024, scheduler: credit, main: {weight: 1024}}
      workload:
        name: tpcb
        database: "jdbc:postgresql://web/bench"
        others:
          - {name: db, database: "jdbc:postgresql://db/bench"}
          - {name: db2, database: "jdbc:postgresql://db2/bench"}
        interference: [0, 1, 2]
      users: 4
      repetitions: 6
      goal: p95 < 60ms
      """;

  @TempDir private Path directory;
  private String run;

  /**
   * Alone both profiles move 100 a second; each neighbour takes a fifth from the light one and a
   * twentieth from the heavy one. The host slows down by a fifth from block to block.
   */
  @BeforeEach
  void record() {
    RecordedRun recorded = RecordedRun.begin(directory.resolve("run"), EXPERIMENT);
    Random random = new Random(3);
    int number = 1;
    for (int block = 1; block <= 6; block++) {
      for (int neighbours = 0; neighbours <= 2; neighbours++) {
        for (String profile : List.of("w256", "w1024")) {
          double kept = Math.pow(profile.equals("w256") ? 0.8 : 0.95, neighbours);
          double rate = 100 * kept * Math.pow(0.8, block) * Math.exp(0.004 * random.nextGaussian());
          Trial trial = new Trial(number++, block, profile, Load.beside(neighbours, 4), block);
          recorded.trial(trial, rate, 4000 / rate, List.of());
        }
      }
    }
    run = recorded.end().root().toString();
  }

  @Test
  void reportTellsTheCostOfNeighboursAndTheBestSetBesideEachNumber() throws IOException {
    Said said = CommandLines.run("report", run);
    assertThat(said.exit()).isZero();
    assertThat(said.out())
        .contains("Interference: change caused by neighbours, and change from w256")
        .containsPattern("0 +w256 +throughput +/s .* –\\R +– +(yes|no)")
        .containsPattern("2 +w256 +throughput +/s .* -3[56]\\.\\d \\[-3.*\\R +– +no")
        .containsPattern(
            "2 +w1024 +throughput +/s .* -(9|10)\\.\\d \\[-.*\\R +\\+4[012]\\.\\d \\[.* yes")
        .containsPattern("1 +w1024 +p95 +ms .*\\R.* yes");

    List<String> csv = Files.readAllLines(Path.of(run, "tables", "interference.csv"));
    assertThat(csv.get(0))
        .isEqualTo(
            "users,neighbours,profile,n,metric,unit,value,value_sd,value_low,value_high,value_n,"
                + "change,change_low,change_high,from_baseline,from_baseline_low,"
                + "from_baseline_high,best_set,origin");
    List<String> light =
        csv.stream()
            .filter(row -> row.startsWith("4,2,w256,6,thr"))
            .findFirst()
            .map(row -> List.of(row.split(",", -1)))
            .orElseThrow();
    // The blocks' drift is in the interval of the value and not in that of the change.
    assertThat(Double.parseDouble(light.get(10))).isEqualTo(6);
    assertThat(Double.parseDouble(light.get(9)) / Double.parseDouble(light.get(8)))
        .isGreaterThan(2);
    assertThat(Double.parseDouble(light.get(12))).isBetween(-37.0, -36.0);
    assertThat(Double.parseDouble(light.get(13))).isBetween(-36.0, -35.0);
  }

  @Test
  void everyTableAndTheSummaryTellTheNeighboursOfARow() throws IOException {
    CommandLines.run("report", run);
    assertThat(Files.readAllLines(Path.of(run, "tables", "load.csv")))
        .element(0)
        .asString()
        .startsWith("users,neighbours,profile,n,");
    JsonNode cells = Json.mapper().readTree(Path.of(run, "summary.json").toFile()).at("/cells");
    assertThat(cells).hasSize(6);
    assertThat(cells.get(5).at("/users").asInt()).isEqualTo(4);
    assertThat(cells.get(5).at("/neighbours").asInt()).isEqualTo(2);
    assertThat(CommandLines.run("report", run, "--where", "neighbours=2", "--format", "csv").out())
        .startsWith("profile,users,neighbours,domain,")
        .contains("w1024,4,2,,throughput,6,")
        .doesNotContain(",4,1,");
    assertThat(CommandLines.run("report", run, "--where", "neighbours=9").err())
        .contains("it has users 4, neighbours 0, 1, 2 and profiles");
  }

  @Test
  void recommendsBesideEveryNumberOfNeighboursAndTellsWhatAProfileBears() {
    Said said = CommandLines.run("recommend", run);
    assertThat(said.out().replaceAll("\\s+", " "))
        .contains("ANSWER Use w1024")
        .contains("4 users with 2 neighbours: the best set is {w1024}, of 2 profiles")
        .contains("tpcb at 4 users with 0, 1, 2")
        .contains("w256 with 1 neighbour, p95 < 60 ms: ")
        .contains("w1024 with 0 neighbours, p95 < 60 ms: ");
  }

  @Test
  void comparesBesideTheNeighboursAskedForAlone() throws IOException {
    Said said = CommandLines.run("compare", run, "--neighbours", "1,2", "--format", "csv");
    assertThat(said.out())
        .startsWith("profile,users,neighbours,metric,")
        .contains("w1024,4,1,p95,", "w1024,4,2,p95,")
        .doesNotContain("w1024,4,0,");
    assertThat(CommandLines.run("compare", run).out()).contains("users + neighbours", "4 + 2");
    String baselines = directory.resolve("kept").toString();
    CommandLines.run("compare", run, "--save-baseline", "b", "--baselines", baselines);
    assertThat(
            CommandLines.run(
                    "compare", run, "--baseline", "b", "--baselines", baselines, "--format", "csv")
                .out())
        .contains("w256,4,0,p95,", "w1024,4,2,p95,");
  }

  @Test
  void planTellsTheAxisAndEveryTrialsPlaceOnIt() throws IOException {
    Path file = directory.resolve("experiment.yaml");
    Files.writeString(file, EXPERIMENT);
    Said said = CommandLines.run("plan", file.toString(), "--offline", "--trials");
    assertThat(said.out())
        .contains("2 profiles x 3 loads = 6 cells a block")
        .contains("users 4 with 0, 1, 2 neighbours")
        .contains("  4 users with 1 neighbour");
  }
}
