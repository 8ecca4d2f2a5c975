package io.slicewise.cli.commands;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.slicewise.base.json.Json;
import io.slicewise.cli.CommandLines;
import io.slicewise.cli.CommandLines.Said;
import io.slicewise.report.page.StudyRuns;
import io.slicewise.report.study.ProfileTables;
import io.slicewise.report.study.ProfileTables.Answer;
import io.slicewise.run.RunDirectory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Protects what the studies of runs print, in each format, and the tables of several runs. */
class StudyOfRunsTest {
  @TempDir private Path directory;

  private static String said(String... arguments) {
    Said said = CommandLines.run(arguments);
    assertThat(said.exit()).as(said.err()).isZero();
    return said.out();
  }

  @Test
  void interferenceHasTheSameNumbersInEveryFormat() throws IOException {
    String run = StudyRuns.interference(directory.resolve("run")).root().toString();
    assertThat(said("study", "interference", run).replaceAll("\\s+", " "))
        .contains("EXTERNAL: as-found, 4 users with 1 neighbour (db 50 % of the guests' bytes)")
        .contains("Traffic of the guests' disks by origin")
        .contains("Box plots by neighbours: ", " rows, printed by --table boxes");
    assertThat(said("study", "interference", run, "--table", "boxes"))
        .contains("low", "median", "high");
    String traffic = "as-found, 4 users";
    assertThat(said("study", "interference", run, "--format", "markdown"))
        .containsPattern("\\| " + traffic + " \\| with 1 neighbour \\| db \\| [45][0-9.]+ ±");
    assertThat(said("study", "interference", run, "--format", "latex"))
        .containsPattern(traffic + " & with 1 neighbour & db & [45][0-9.]+");
    assertThat(said("study", "interference", run, "--format", "csv", "--table", "traffic"))
        .startsWith("place,case,domain,bytes,")
        .containsPattern("with 1 neighbour,db,[45][0-9.]+,");
    JsonNode study = Json.mapper().readTree(said("study", "interference", run, "--format", "json"));
    assertThat(study.at("/rows/1/verdict").asText()).isEqualTo("external");
    assertThat(study.at("/fits/0/points")).hasSize(18);
  }

  @Test
  void oneFigureIsAFileOfItsOwn() {
    String run = StudyRuns.interference(directory.resolve("run")).root().toString();
    assertThat(said("study", "interference", run, "--figure", "regression"))
        .startsWith("<svg xmlns=")
        .endsWith("</svg>\n");
    Said unknown = CommandLines.run("study", "interference", run, "--figure", "pie");
    assertThat(unknown.exit()).isNotZero();
    assertThat(unknown.err())
        .contains("this study has no figure 'pie'")
        .contains("it has: drop, loss, regression");
  }

  private RunDirectory swept(String name) {
    return StudyRuns.swept(directory.resolve(name), name);
  }

  @Test
  void profilesByWorkloadsOverSeveralRuns() {
    String one = swept("one").root().toString();
    String two = swept("two").root().toString();
    assertThat(said("study", "profiles", one, two).replaceAll("\\s+", " "))
        .startsWith("PROFILES 1 workload, 4 loads: ")
        .containsPattern("web-app 50 users \\w+ one 0.0");
    assertThat(
            said("study", "profiles", one, two, "--format", "csv", "--table", "profiles").lines())
        .hasSize(1 + 4);
    Said none = CommandLines.run("study", "profiles");
    assertThat(none.err()).contains("this study needs run directories");
  }

  /** A run of one profile decides nothing, and says nothing of the profiles of other runs. */
  @Test
  void loadsWithoutADecisionAreNotEverywhere() {
    List<Answer> answers = new ArrayList<>(ProfileTables.answers(swept("one").load()));
    Answer one = answers.get(0);
    answers.add(
        new Answer(
            "two",
            "tpcb",
            "4 users",
            one.metric(),
            one.baseline(),
            Set.of(one.baseline()),
            List.of(),
            Set.of()));
    assertThat(String.join(" ", ProfileTables.of(answers).text(200)))
        .startsWith("PROFILES  2 workloads, 3 loads: ")
        .contains("at the 2 loads with enough trials");
  }

  @Test
  void scalingShowsFactorsRequestsInFlightAndTheKnee() throws IOException {
    RunDirectory run = swept("run");
    said("report", run.root().toString());
    List<String> lines = Files.readAllLines(run.root().resolve("tables/scaling.csv"));
    assertThat(lines.get(0))
        .startsWith("users,profile,n,rate_factor,mean_factor,in_flight,knee,beyond");
    List<String> low = List.of(lines.get(1).split(",", -1));
    List<String> high = List.of(lines.get(2).split(",", -1));
    assertThat(low.get(3)).isEmpty();
    assertThat(Double.parseDouble(high.get(3))).isPositive();
    assertThat(Double.parseDouble(high.get(5))).isPositive();
    assertThat(low.get(6)).isEqualTo(high.get(6));
  }

  /** Also of a run with one load, which has no table of its scaling. */
  @Test
  void everyCellHasTheDeviationBetweenItsRequests() throws IOException {
    RunDirectory run = swept("run");
    assertThat(said("report", run.root().toString())).contains("mean ms", "SD ms");
    List<String> lines = Files.readAllLines(run.root().resolve("tables/load.csv"));
    int column = List.of(lines.get(0).split(",")).indexOf("request_sd_ms");
    assertThat(lines.subList(1, lines.size()))
        .allSatisfy(
            line -> assertThat(Double.parseDouble(line.split(",", -1)[column])).isPositive());
  }
}
