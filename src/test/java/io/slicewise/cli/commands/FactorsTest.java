package io.slicewise.cli.commands;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.slicewise.base.json.Json;
import io.slicewise.cli.CommandLines;
import io.slicewise.cli.CommandLines.Said;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Protects: factors from the file to the answer. The simulated scheduler gives a guest of four
 * times the weight more of what another one takes without end, and a cap of that one helps less
 * then.
 */
class FactorsTest {
  private static final String FILE =
      """
      name: knobs
      lab:
        version: xl-4.17
        demand-factor: 0.5
        scheduler: credit
        guests:
          - {name: Apache_Server, vcpus: 1}
          - {name: NFS_Server, vcpus: 2}
          - {name: MySQL_Server, vcpus: 2}
          - {name: Batch, vcpus: 4, burns: true}
      domains: {main: [Apache_Server, NFS_Server, MySQL_Server], other: [Batch]}
      profiles:
        - factors:
            scheduler: credit
            domains: {Apache_Server: {weight: [256, 1024]}, Batch: {cap: [0, 200]}}
            pools: {Pool-0: {timeslice: [30ms, 5ms]}}
            design: %s
      workload: web-app
      users: 10
      design: {kind: switchback, sessions: 3, blocks: 3, window: 2s, wash-out: 500ms}
      ramp: 1s
      warm-up: 2s
      goal: lowest mean
      """;

  @TempDir private Path directory;

  private Path file(String design) throws IOException {
    return Files.writeString(directory.resolve("knobs.yaml"), FILE.formatted(design));
  }

  private Path simulate(String design) throws IOException {
    Path results = directory.resolve("out");
    Said said =
        CommandLines.run("simulate", file(design).toString(), "--results", results.toString());
    assertThat(said.exit()).as(said.err()).isZero();
    assertThat(said.out()).contains("weight matters most in mean: weight 256 -> 1024 ");
    try (Stream<Path> runs = Files.list(results)) {
      return runs.filter(run -> Files.exists(run.resolve("summary.json")))
          .findFirst()
          .orElseThrow();
    }
  }

  @Test
  void aKnownEffectIsFoundAndShownInEveryForm() throws IOException {
    Path run = simulate("full");
    List<JsonNode> effects = new ArrayList<>();
    Json.mapper()
        .readTree(run.resolve("summary.json").toFile())
        .get("effects")
        .forEach(effects::add);
    assertThat(effects).hasSize(6);
    JsonNode weight = effects.get(0);
    assertThat(weight.get("factor").asText()).isEqualTo("weight");
    assertThat(weight.get("levels").asText()).isEqualTo("256 -> 1024");
    assertThat(weight.get("grade").asText()).isEqualTo("shown");
    assertThat(weight.get("high").asDouble()).isNegative();
    assertThat(weight.get("degreesOfFreedom").asDouble()).isEqualTo(2);
    JsonNode both = effects.get(3);
    assertThat(both.get("factor").asText()).isEqualTo("weight x cap");
    assertThat(both.get("low").asDouble()).isPositive();
    assertThat(run.resolve("tables/effects.csv"))
        .content()
        .startsWith(
            "users,metric,effect,levels,percent,percent_low,percent_high,degrees_of_freedom")
        .hasLineCount(7);
    assertThat(run.resolve("report.html"))
        .content()
        .contains(
            "<section id=\"factors\"", "Effects on mean at 10 users", "weight under each cap");
    assertThat(CommandLines.run("report", run.toString()).out())
        .contains("Effects of factors, with 95 % intervals");
    assertThat(CommandLines.run("recommend", run.toString()).out())
        .contains("Factors    weight matters most", "6 effects in one family of Holm");
  }

  @Test
  void aFractionNamesTheAliasesOfEachEffect() throws IOException {
    assertThat(CommandLines.run("plan", "--offline", file("III").toString()).out())
        .contains("Factors weight (2) x cap (2) x timeslice (2): 4 of 8 cells, resolution III")
        .contains("aliased: weight with cap x timeslice;");
    assertThat(simulate("III").resolve("tables/effects.csv"))
        .content()
        .contains("aliased_with", "shown,cap x timeslice,")
        .hasLineCount(4);
  }
}
