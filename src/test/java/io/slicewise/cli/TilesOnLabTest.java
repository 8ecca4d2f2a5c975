package io.slicewise.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.slicewise.MeasuresInRealTime;
import io.slicewise.cli.CommandLines.Said;
import io.slicewise.cli.screens.ExitCode;
import io.slicewise.experiment.goal.OutcomeMetric;
import io.slicewise.experiment.load.Axis;
import io.slicewise.run.RunDirectory;
import io.slicewise.run.result.LoadResult;
import io.slicewise.run.result.TrialLoad.GeneratorResult;
import io.slicewise.run.result.TrialResult;
import io.slicewise.workload.tiles.Tiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Protects several workloads at once, from the experiment file over the lab's real HTTP to the
 * tables: each has its own generator, load and results, and the worst decides.
 */
@MeasuresInRealTime
class TilesOnLabTest {
  private static final String TILES =
      """
      name: both
      lab: {scheduler: credit, demand-factor: 0.2, xenmon: false}
      domains: {main: [shop, portal]}
      profiles: [as-found, {name: heavy, scheduler: credit, main: {weight: 512}}]
      workload:
        name: tiles
        tiles:
          - {name: shop, users: 4, goal: mean < 900ms, workload: {name: web-app, properties: {think-time: 50}}}
          - {name: portal, rate: 10, goal: mean < 500ms, workload: portal}
      %s
      ramp: 0s
      warm-up: 2s
      limits: {errors: 50%%, generator-cpu: 100%%, other-work: 100%%, generator-lateness: 9s, lab-lateness: 9s, generator-gc: 100%%, littles-law: 100%%,
               arrival-lateness: 9s, dropped-arrivals: 50%%}
      """;

  @TempDir private Path directory;

  private RunDirectory run(String rest) throws IOException {
    return run(TILES, rest);
  }

  private RunDirectory run(String text, String rest) throws IOException {
    Path file = Files.writeString(directory.resolve("both.yaml"), text.formatted(rest));
    Path results = directory.resolve("results");
    Said said = CommandLines.run("run", file.toString(), "--results", results.toString(), "-q");
    assertThat(said.exit())
        .as(said.err())
        .isIn(
            CommandLines.measured(
                ExitCode.TRIALS_FAILED, ExitCode.KEPT, ExitCode.NO_ANSWER, ExitCode.UNDECIDED));
    return RunDirectory.newest(results).orElseThrow();
  }

  private static Map<String, LoadResult> labels(TrialResult result) {
    return result.load().orElseThrow().labels().stream()
        .collect(Collectors.toMap(LoadResult::label, Function.identity()));
  }

  private static double worst(TrialResult result) {
    return new OutcomeMetric(Tiles.WORST).value(result.measures());
  }

  /** Each tile has results of its own, which together are the whole, and the worst decides. */
  private static void isWhole(TrialResult result) {
    Map<String, LoadResult> labels = labels(result);
    LoadResult shop = labels.get("shop");
    LoadResult portal = labels.get("portal");
    assertThat(shop.samples()).isPositive();
    assertThat(portal.samples()).isPositive();
    assertThat(shop.series()).isNotEmpty();
    assertThat(shop.samples() + portal.samples()).isEqualTo(result.load().orElseThrow().samples());
    assertThat(
            labels.values().stream()
                .filter(label -> label.label().startsWith("portal: "))
                .mapToLong(LoadResult::samples)
                .sum())
        .as("the labels of a tile with several")
        .isEqualTo(portal.samples());
    assertThat(result.loaded().generators())
        .extracting(GeneratorResult::name)
        .containsExactly("shop", "portal");
    assertThat(result.loaded().generators().get(0).health().arrivals()).isEmpty();
    assertThat(result.loaded().generators().get(1).health().arrivals()).isPresent();
    double nearest = Math.max(shop.meanMillis() / 900, portal.meanMillis() / 500);
    assertThat(worst(result)).isCloseTo(nearest, within(1e-9));
  }

  @Test
  void aSweepMeasuresEachTileAndTheWorstDecides() throws IOException {
    RunDirectory run = run("scale: [50, 100]\nrepetitions: 1\nmeasure: 6s\ngoal: worst goal");
    assertThat(run.results()).hasSize(4).allSatisfy(TilesOnLabTest::isWhole);
    for (TrialResult result : run.results()) {
      double part = result.trial().load().level(Axis.SCALE).orElseThrow().number() / 100;
      Path trial = run.trialDirectory(result.trial().slug());
      assertThat(trial.resolve("shop/load.properties"))
          .content()
          .contains("users=" + Math.round(4 * part), "think-time=50")
          .doesNotContain("slicewise.rate");
      assertThat(trial.resolve("portal/load.properties"))
          .content()
          .contains("slicewise.rate=" + 10 * part);
      assertThat(trial.resolve("samples-shop.jtl.gz")).isNotEmptyFile();
      double arrived =
          result.loaded().generators().get(1).health().arrivals().orElseThrow().started();
      double expected = 10 * part * result.window().seconds();
      assertThat(arrived).isBetween(expected - 6 * Math.sqrt(expected), 2 * expected + 30);
    }
    String root = run.root().toString();
    assertThat(run.root().resolve("tables/labels.csv"))
        .content()
        .startsWith("scale,profile,n,label,")
        .contains("50,heavy,1,shop,", "100,heavy,1,portal,");
    assertThat(run.root().resolve("tables/measures.csv")).content().contains("worst-goal");
    assertThat(run.root().resolve("tables/tiles.csv"))
        .content()
        .contains("50,heavy,1,shop,2 users,", "100,heavy,1,portal,10 arrivals/s,", ",unclear,");
    assertThat(CommandLines.run("report", root).out()).contains("Tiles, each with its own goal");
    assertThat(CommandLines.run("report", root, "--format", "markdown").out())
        .contains("Tiles, each with its own goal", "| portal | 5 arrivals/s |");
    assertThat(CommandLines.run("compare", root, "--scale", "100", "--format", "csv").out())
        .contains("worst goal");
    assertThat(run.root().resolve("report.html"))
        .content()
        .contains("% load", "Tiles, each with its own goal");
  }

  @Test
  void theWindowsOfASessionHaveTheirTiles() throws IOException {
    RunDirectory run =
        run(
            "design: {kind: switchback, sessions: 1, blocks: 2, window: 3s, wash-out: 300ms}\n"
                + "goal: worst mean");
    assertThat(run.results()).hasSizeGreaterThanOrEqualTo(4).allSatisfy(TilesOnLabTest::isWhole);
  }

  /** Before, no window of a session counted that was too short for the percentile of a tile. */
  @Test
  void theWindowsOfASessionArePooled() throws IOException {
    RunDirectory run =
        run(
            TILES.replace("mean <", "p95 <"),
            "design: {kind: switchback, sessions: 1, blocks: 6, window: 2s, wash-out: 300ms}\n"
                + "goal: worst goal");
    assertThat(run.results())
        .allSatisfy(
            result -> assertThat(result.reasons()).noneMatch(why -> why.contains("too few")))
        .anySatisfy(result -> assertThat(worst(result)).isNaN());
    assertThat(run.root().resolve("summary.json")).content().contains("\"worst goal\"");
    assertThat(CommandLines.run("compare", run.root().toString()).out())
        .doesNotContain("decided by");
  }

  /** Before, the p95 of all requests together decided, without a word. */
  @Test
  void aTrialThatDoesNotKnowHowNearItsTilesAreDoesNotCount() throws IOException {
    String late =
        TILES
            .replace("mean < 500ms", "p99 < 500ms")
            .replace("{errors", "{repeat-invalid: 0, errors");
    RunDirectory run = run(late, "repetitions: 1\nmeasure: 3s\ngoal: lowest outcome worst-goal");
    assertThat(run.results())
        .hasSize(2)
        .allSatisfy(
            result -> {
              assertThat(worst(result)).isNaN();
              assertThat(result.valid()).isFalse();
              assertThat(result.reasons())
                  .singleElement()
                  .asString()
                  .matches(
                      "portal: \\d+ samples are too few for its goal 'p99 < 500ms', which needs 1000: .*");
            });
  }

  @Test
  void aStudyOfConsolidationNamesTheTileThatDecides() throws IOException {
    String tight = TILES.replace("mean < 500ms", "mean < 1ms").replace(", xenmon: false", "");
    RunDirectory run = run(tight, "guests: 1..2\nrepetitions: 2\nmeasure: 8s");
    assertThat(run.results())
        .hasSize(8)
        .allSatisfy(
            result ->
                assertThat(labels(result).keySet())
                    .contains("shop")
                    .satisfies(
                        names ->
                            assertThat(names.contains("portal"))
                                .isEqualTo(
                                    result.trial().load().count(Axis.GUESTS).getAsInt() == 2)));
    Said study = CommandLines.run("study", "consolidation", run.root().toString());
    assertThat(study.out().replaceAll("\\s+", " ")).contains("mean of portal");
  }
}
