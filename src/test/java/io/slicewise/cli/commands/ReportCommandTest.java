package io.slicewise.cli.commands;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.slicewise.base.json.Json;
import io.slicewise.base.units.Measure;
import io.slicewise.base.units.Window;
import io.slicewise.cli.CommandLines;
import io.slicewise.cli.CommandLines.Said;
import io.slicewise.cli.screens.ExitCode;
import io.slicewise.experiment.Trial;
import io.slicewise.experiment.load.Load;
import io.slicewise.observe.Observation;
import io.slicewise.observe.Observation.Location;
import io.slicewise.observe.Observation.Reading;
import io.slicewise.observe.Observation.Sighting;
import io.slicewise.observe.Observation.Topic;
import io.slicewise.run.RecordedRun;
import io.slicewise.run.result.TrialHost;
import io.slicewise.run.result.TrialLoad;
import io.slicewise.run.result.TrialResult;
import io.slicewise.run.result.TrialTimes;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Protects: every form of a run's tables tells the same, and a part of them can be asked for. */
class ReportCommandTest {
  @TempDir private Path directory;
  private String run;

  @BeforeEach
  void record() {
    RecordedRun recorded = RecordedRun.begin(directory.resolve("run"), RecordedRun.EXPERIMENT);
    int number = 1;
    for (int block = 1; block <= 3; block++) {
      for (int users : new int[] {50, 300}) {
        recorded.trial(number++, "w256", users, block, 400, 200 + block);
        recorded.trial(number++, "w512", users, block, 500, 150 + block);
      }
    }
    run = recorded.end().root().toString();
  }

  @Test
  void everyFormTellsTheSame() throws IOException {
    String markdown = CommandLines.run("report", run, "--format", "markdown").out();
    assertThat(markdown).contains("| w512 | **152.0 ± 2.5 \\(1.0\\)** |", "| w256 | 202.0 ± 2.5");
    assertThat(CommandLines.run("report", run, "--format", "latex").out())
        .contains("w512 & \\textbf{152.0 $\\pm$ 2.5 (1.0)}", "\\toprule");
    assertThat(CommandLines.run("report", run, "--format", "csv").out())
        .contains("w512,50,,p95,3,152.0,1.0,149.51", ",true,,measured");
    JsonNode json =
        Json.mapper().readTree(CommandLines.run("report", run, "--format", "json").out());
    assertThat(json.at("/cells/2/metrics/p95/mean").asDouble()).isEqualTo(152);
  }

  @Test
  void textPrintsTheAnswerOfTheRun() {
    assertThat(CommandLines.run("report", run).out()).containsPattern("(?m)^ANSWER +\\S+");
  }

  @Test
  void sharesAreTitledByWhatTheyAreSharesOf() {
    assertThat(CommandLines.run("report", run, "--shares", "published").out())
        .contains("Shares of all pCPUs' time, as in the 2010 study")
        .doesNotContain("each domain's vCPU time");
    assertThat(CommandLines.run("report", run).out()).contains("each domain's vCPU time");
  }

  @Test
  void goalIsToldOfEachCell() {
    Said said = CommandLines.run("report", run, "--goal", "p95<180");
    assertThat(said.out())
        .contains("Goal p95 < 180 ms by profile and users")
        .containsPattern("w256 +fails +fails")
        .containsPattern("w512 +holds +holds");
    assertThat(CommandLines.run("report", run, "--goal", "p95").exit())
        .isEqualTo(ExitCode.USAGE.code());
  }

  @Test
  void aFigureForAPaperHasALineForEachProfile() {
    String svg = CommandLines.run("report", run, "--figure", "p95").out();
    assertThat(svg)
        .startsWith("<svg xmlns=")
        .endsWith("</svg>\n")
        .contains("p95 ms", "users", "w512, 50 users: 152.0 [149.5, 154.5] ms");
    assertThat(svg.split("<circle", -1)).hasSize(1 + 4);
    assertThat(
            CommandLines.run("report", run, "--figure", "p95", "--where", "profile=w512")
                .out()
                .split("<circle", -1))
        .hasSize(1 + 2);
    assertThat(CommandLines.run("report", run, "--figure", "pie").err())
        .contains("is not a metric; metrics are throughput, mean");
    assertThat(CommandLines.run("report", run, "--figure", "wait share of db").err())
        .contains("no cell of the run has wait share of db");
  }

  @Test
  void aPartCanBeAskedFor() {
    Said said = CommandLines.run("report", run, "--where", "users=300,profile=w512,domain=db");
    assertThat(said.out()).containsPattern("  300 +w512 +3 +db").doesNotContain("w256", " 50  ");
    assertThat(CommandLines.run("report", run, "--where", "users=7").err())
        .contains("users 50, 300 and profiles");
    assertThat(CommandLines.run("report", run, "--where", "cap=7").err()).contains("--where cap=7");
  }

  @Test
  void aPartKeepsWhatElseItsTrialsTell() {
    RecordedRun recorded = RecordedRun.begin(directory.resolve("told"), RecordedRun.EXPERIMENT);
    for (int block = 1; block <= 2; block++) {
      recorded.trial(told(new Trial(block, block, "w512", Load.of(300), block)));
    }
    String told = recorded.end().root().toString();
    assertThat(CommandLines.run("report", told, "--where", "profile=w512").out())
        .containsPattern("300 +w512 +2 +moved +1/s +7\\.000")
        .contains("Host kernel counters")
        .contains("What the generators counted")
        .containsPattern("generator +cores +bytes sent B/s")
        .containsPattern("300 +w512 +2 +east +8 +1250\\.5 ±");
    assertThat(CommandLines.run("report", told, "--where", "domain=db").out())
        .contains("moved")
        .doesNotContain("Host kernel counters", "What the generators counted");
  }

  private static TrialResult told(Trial trial) {
    Window window = new Window(Instant.EPOCH, Instant.EPOCH.plusSeconds(60));
    return new TrialResult(
        trial,
        new TrialTimes(window, window, Map.of()),
        TrialHost.of(4, Map.of()),
        new TrialLoad(Optional.empty(), List.of(), List.of(new Measure("moved", "1/s", true, 7))),
        List.of(
            new Observation(
                new Topic("dom0", "Host kernel counters", ""),
                "proc",
                window,
                List.of(
                    new Sighting(
                        Location.domain("Domain-0"),
                        List.of(Reading.share("busy", 0.2)),
                        List.of(),
                        "")),
                List.of(),
                List.of()),
            new Observation(
                new Topic("generators", "What the generators counted", "generator"),
                "jvm",
                window,
                List.of(
                    new Sighting(
                        new Location(Location.Kind.GENERATOR, "east", 8),
                        List.of(new Reading("bytes_sent", "B/s", 1250.5)),
                        List.of(),
                        "")),
                List.of(),
                List.of())));
  }
}
