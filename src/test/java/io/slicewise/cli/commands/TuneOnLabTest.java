package io.slicewise.cli.commands;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.slicewise.MeasuresInRealTime;
import io.slicewise.base.json.Json;
import io.slicewise.cli.CommandLines;
import io.slicewise.cli.CommandLines.Said;
import io.slicewise.cli.screens.ExitCode;
import io.slicewise.evidence.answer.Answers;
import io.slicewise.evidence.answer.RunEvidence;
import io.slicewise.run.RunDirectory;
import io.slicewise.run.journal.PlannedTrial.Purpose;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A tune on the lab from the command line: the settings found are bad, since a guest that computes
 * without end has the weight of the servers. It finds better ones, confirms them, and restores the
 * host.
 */
@MeasuresInRealTime
class TuneOnLabTest {
  private static final String EXPERIMENT =
      """
      name: planted
      lab:
        version: xl-4.17
        demand-factor: 0.5
        scheduler: credit
        xenmon: false
        guests:
          - {name: Apache_Server, vcpus: 1}
          - {name: NFS_Server, vcpus: 2}
          - {name: MySQL_Server, vcpus: 2}
          - {name: Batch, vcpus: 4, burns: true}
      domains: {main: [Apache_Server, NFS_Server, MySQL_Server], other: [Batch]}
      profiles: [as-found]
      workload: web-app
      users: 10
      %s
      ramp: 0s
      warm-up: 1s
      limits: {generator-cpu: 100%%, other-work: 100%%, generator-lateness: 9s, lab-lateness: 9s, generator-gc: 100%%, littles-law: 90%%}
      tune:
        goal: lowest mean
        budget: {%s}
        search: {%s}
      """;

  /** Half of the one pCPU is a guest's at first; the guard allows it at most 71 %. */
  private static final String LIBVIRT =
      """
      name: kvm
      lab:
        hypervisor: libvirt
        pcpus: 1
        guests: [{name: web 1, vcpus: 1, burns: true}, {name: "1", vcpus: 1, burns: true}]
      domains: {main: [web 1], other: ["1"]}
      profiles: [as-found]
      workload: observe
      design: {kind: switchback, blocks: 3, window: 2s, wash-out: 200ms}
      ramp: 0s
      warm-up: 1s
      limits: {lab-lateness: 9s}
      tune:
        goal: highest run share of web 1
        guard: {run share of 1: -40%}
        budget: {windows: 90}
        search: {web 1: {shares: 64..8192}}
      """;

  @TempDir private Path directory;

  @Test
  void findsBetterWeightsAndMeasuresThemAfresh() throws IOException {
    JsonNode end =
        tune(
            "design: {kind: switchback, blocks: 3, window: 1s, wash-out: 200ms}",
            "windows: 18",
            "Batch: {weight: 16..128}");
    RunDirectory run = RunDirectory.open(Path.of(end.at("/run").asText()));
    assertThat(run.record().planned().values())
        .extracting(one -> one.purpose())
        .contains(Purpose.CALIBRATION, Purpose.RACE, Purpose.CONFIRMATION);
    assertThat(run.results()).allMatch(one -> one.trial().session().isPresent());
    assertThat(run.record().touched()).isEmpty();
    assertThat(CommandLines.run("report", run.root().toString()).out()).contains("ANSWER  ");
    Said recommended = CommandLines.run("recommend", run.root().toString());
    assertThat(recommended.out())
        .contains("ANSWER  ")
        .contains("Tune    lowest mean")
        .as("the lab ended with its run")
        .doesNotContain("slicewise apply");
    assertThat(CommandLines.run("runs", "--results", run.root().getParent().toString()).out())
        .contains(Answers.of(RunEvidence.of(run.load())).brief());
    JsonNode race = end.at("/tune/races/0");
    assertThat(recommended.exit()).isEqualTo(end.at("/exitCode").asInt());
    assertThat(race.at("/confirmation/effect/mean").asDouble())
        .as(race.at("/claim/sentence").asText())
        .isLessThan(-0.1);
  }

  @Test
  @Tag("nightly")
  void findsThePlantedOptimumOfThreeKnobs() throws IOException {
    JsonNode end =
        tune(
            "design: {kind: switchback, blocks: 4, window: 2s, wash-out: 200ms}",
            "time: 10m",
            "Apache_Server: {weight: 64..4096}, MySQL_Server: {weight: 64..4096}, Batch: {weight:"
                + " 16..1024}");
    assertConfirmed(end, -0.15);
  }

  @Test
  @Tag("nightly")
  void findsTheMostSharesThatAGuardAllowsOnLibvirt() throws IOException {
    JsonNode end = tune(LIBVIRT);
    assertConfirmed(end, 0.2);
    JsonNode confirmed = end.at("/tune/races/0/confirmation");
    assertThat(confirmed.at("/before").asDouble()).isBetween(45.0, 55.0);
    assertThat(confirmed.at("/after").asDouble()).isBetween(58.0, 74.0);
    assertThat(RunDirectory.open(Path.of(end.at("/run").asText())).record().touched()).isEmpty();
  }

  /** The less a guest waits for a pCPU, the better: nothing is loaded. */
  @Test
  @Tag("nightly")
  void findsTheWeightAtWhichAGuestWaitsLeastWithinAGuard() throws IOException {
    JsonNode end =
        tune(
            """
            name: waits
            lab:
              scheduler: credit
              pcpus: 1
              xenmon: false
              guests: [{name: Front, burns: true}, {name: Batch, burns: true}]
            domains: {main: [Front], other: [Batch]}
            profiles: [as-found]
            workload: observe
            design: {kind: switchback, blocks: 3, window: 1s, wash-out: 200ms}
            ramp: 0s
            warm-up: 1s
            limits: {lab-lateness: 9s}
            tune:
              goal: lowest wait share of Front
              guard: {run share of Batch: -60%}
              budget: {windows: 40}
              search: {Front: {weight: 64..4096}}
            """);
    assertConfirmed(end, -0.15);
    assertPrinted(end, "wait share of Front", "%");
  }

  /** The part of a page view that the web server spends in the run queue. */
  @Test
  @Tag("nightly")
  void findsTheWeightAtWhichARequestWaitsLeast() throws IOException {
    JsonNode end =
        tune(
            EXPERIMENT
                .replace("lowest mean", "lowest wait per request at Apache_Server")
                .formatted(
                    "design: {kind: switchback, blocks: 3, window: 1s, wash-out: 200ms}",
                    "windows: 40",
                    "Batch: {weight: 16..128}"));
    assertConfirmed(end, -0.1);
    assertPrinted(end, "wait per request at Apache_Server", "ms");
  }

  /** Screens and page name the goal, and its levels have its unit. */
  private static void assertPrinted(JsonNode end, String metric, String unit) throws IOException {
    String run = end.at("/run").asText();
    assertThat(CommandLines.run("report", run).out().replaceAll("\\s+", " "))
        .containsPattern("ANSWER .* %s [0-9.]+ -> [0-9.]+ %s, -[0-9.]+ %%".formatted(metric, unit))
        .contains("Tune lowest " + metric);
    assertThat(CommandLines.run("recommend", run).out()).contains("ANSWER  ");
    assertThat(CommandLines.run("status", run).out()).contains("lowest " + metric);
    assertThat(Files.readString(Path.of(run).resolve("report.html"))).contains(metric);
  }

  private static void assertConfirmed(JsonNode end, double least) {
    JsonNode race = end.at("/tune/races/0");
    assertThat(race.at("/confirmation/better").asBoolean())
        .as(race.at("/claim/sentence").asText())
        .isTrue();
    assertThat(race.at("/confirmation/effect/mean").asDouble() / least).isGreaterThan(1);
  }

  private JsonNode tune(String design, String budget, String search) throws IOException {
    return tune(EXPERIMENT.formatted(design, budget, search));
  }

  private JsonNode tune(String experiment) throws IOException {
    Path file = Files.writeString(directory.resolve("tune.yaml"), experiment);
    Said said =
        CommandLines.run(
            "tune",
            file.toString(),
            "--results",
            directory.resolve("results").toString(),
            "-q",
            "--format",
            "json");
    JsonNode end = Json.mapper().readTree(said.out());
    assertThat(said.exit()).as(said.err()).isEqualTo(end.at("/exitCode").asInt());
    assertThat(said.exit())
        .isIn(
            ExitCode.OK.code(),
            ExitCode.UNDECIDED.code(),
            ExitCode.KEPT.code(),
            ExitCode.NO_ANSWER.code(),
            ExitCode.TOO_BUSY.code());
    return end;
  }
}
