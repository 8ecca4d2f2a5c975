package io.slicewise.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.slicewise.MeasuresInRealTime;
import io.slicewise.cli.CommandLines.Said;
import io.slicewise.cli.screens.ExitCode;
import io.slicewise.experiment.load.Load;
import io.slicewise.load.generator.GeneratorHealth.Arrivals;
import io.slicewise.load.spread.LabMachines;
import io.slicewise.run.RunDirectory;
import io.slicewise.run.result.TrialLoad.GeneratorResult;
import io.slicewise.run.result.TrialResult;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Protects the rate as an axis of load, from the experiment file over the lab's real HTTP to the
 * tables: in trials, sessions, a tune and the simulator, from one generator and from two.
 */
@MeasuresInRealTime
class RateOnLabTest {
  private static final String OPEN =
      """
      name: open
      lab: {scheduler: credit, demand-factor: 0.2, xenmon: false}
      domains: {main: [Apache_Server, NFS_Server, MySQL_Server]}
      profiles: %s
      workload: web-app
      rate: %s
      most-users: 40
      %s
      ramp: 0s
      warm-up: 2s
      limits: {errors: 50%%, generator-cpu: 100%%, other-work: 100%%, generator-lateness: 9s, lab-lateness: 9s, generator-gc: 100%%, littles-law: 100%%,
               arrival-lateness: 9s, dropped-arrivals: 50%%}
      """;
  private static final String TWO =
      "[as-found, {name: heavy, scheduler: credit, main: {weight: 512}}]";
  private static final String SESSION =
      "design: {kind: switchback, sessions: 1, blocks: 2, window: 2s, wash-out: 300ms}";

  @TempDir private Path directory;

  private RunDirectory run(String command, String text) throws IOException {
    Path file = Files.writeString(directory.resolve("open.yaml"), text);
    Path results = directory.resolve("results");
    Said said = CommandLines.run(command, file.toString(), "--results", results.toString(), "-q");
    assertThat(said.exit())
        .as(said.err())
        .isIn(
            CommandLines.measured(
                ExitCode.TRIALS_FAILED, ExitCode.KEPT, ExitCode.NO_ANSWER, ExitCode.UNDECIDED));
    return RunDirectory.newest(results).orElseThrow();
  }

  private static double rate(TrialResult result) {
    return result.load().orElseThrow().throughput();
  }

  /** Arrivals in a window, within five standard deviations of a Poisson number. */
  private static void hasArrivals(TrialResult result, double rate) {
    double expected = rate * result.window().seconds();
    double arrived =
        result.loaded().generators().stream()
            .map(one -> one.health().arrivals().orElseThrow())
            .mapToDouble(arrivals -> arrivals.started() + arrivals.dropped())
            .sum();
    assertThat(arrived)
        .as("arrivals at %s/s: %s", rate, result.loaded().generators())
        .isBetween(expected - 5 * Math.sqrt(expected), expected + 5 * Math.sqrt(expected) + 1);
  }

  @Test
  void aSweepMeasuresEachRateAndShowsIt() throws IOException {
    RunDirectory run =
        run("run", OPEN.formatted(TWO, "[10, 30]", "repetitions: 1\nmeasure: 4s\ngoal: p95 < 9s"));
    List<TrialResult> results = run.results();
    assertThat(results).hasSize(4).allSatisfy(result -> hasArrivals(result, size(result)));
    assertThat(
            results.stream()
                .filter(result -> size(result) == 30)
                .mapToDouble(RateOnLabTest::rate)
                .max()
                .orElse(0))
        .isGreaterThan(20);
    assertThat(run.root().resolve("trials"))
        .isDirectoryContaining(path -> path.toString().contains("-a30-r1"));
    String properties =
        Files.readString(
            run.trialDirectory(results.get(0).trial().slug()).resolve("load.properties"));
    assertThat(properties).containsPattern("slicewise.rate=(10|30)\n").contains("users=40");
    assertThat(seeds(run, results, 10)).as("the same for both profiles of a block").hasSize(1);

    String root = run.root().toString();
    assertThat(CommandLines.run("report", root, "--where", "rate=30", "--format", "csv").out())
        .startsWith("profile,rate,domain,")
        .contains("heavy,30,")
        .doesNotContain("heavy,10,");
    assertThat(CommandLines.run("report", root, "--format", "openmetrics").out())
        .contains("profile=\"heavy\",rate=\"30\"")
        .doesNotContain("users=\"");
    assertThat(CommandLines.run("compare", root, "--rate", "10", "--format", "csv").out())
        .contains(",10,")
        .doesNotContain(",30,");
    assertThat(run.root().resolve("report.html")).content().contains("arrivals/s");
    assertThat(CommandLines.run("report", root, "--verbose").out()).doesNotContain("closed load");
  }

  private static double size(TrialResult result) {
    return result.trial().load().size();
  }

  private static List<String> seeds(RunDirectory run, List<TrialResult> results, double rate) {
    return results.stream()
        .filter(result -> size(result) == rate)
        .map(result -> run.trialDirectory(result.trial().slug()).resolve("load.properties"))
        .map(RateOnLabTest::seed)
        .distinct()
        .collect(Collectors.toList());
  }

  private static String seed(Path file) {
    try {
      return Pattern.compile("slicewise.seed=(-?\\d+)")
          .matcher(Files.readString(file))
          .results()
          .findFirst()
          .orElseThrow()
          .group(1);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void theWindowsOfASessionEachHaveTheirArrivalsFromTwoGenerators() throws IOException {
    LabMachines.keepJars();
    RunDirectory run =
        run("run", OPEN.formatted(TWO, "30", "generators: [lab1, lab2]\n" + SESSION));
    assertThat(run.results())
        .hasSizeGreaterThanOrEqualTo(4)
        .allSatisfy(
            window -> {
              assertThat(window.trial().load()).extracting(Load::text).isEqualTo("30 arrivals/s");
              assertThat(window.loaded().generators())
                  .hasSize(2)
                  .extracting(GeneratorResult::users)
                  .containsExactly(20, 20);
              hasArrivals(window, 30);
            });
    assertThat(
            run.results().stream()
                .flatMap(window -> window.loaded().generators().stream())
                .filter(one -> one.name().equals("lab1"))
                .map(one -> one.health().arrivals().orElseThrow())
                .mapToLong(Arrivals::started)
                .sum())
        .as("half of them")
        .isBetween(60L, 180L);
    assertThat(run.root().resolve("sessions"))
        .isDirectoryContaining(path -> path.endsWith("s1-a30"));
    Said plan = CommandLines.run("plan", directory.resolve("open.yaml").toString(), "--offline");
    assertThat(plan.out()).contains("30 arrivals/s, at most 40 users: lab1 20, lab2 20");
  }

  @Test
  void aTuneComparesAtARate() throws IOException {
    RunDirectory run =
        run(
            "tune",
            OPEN.formatted(
                "[as-found]",
                "10",
                """
                design: {kind: switchback, blocks: 3, window: 1s, wash-out: 200ms}
                tune:
                  goal: lowest mean
                  budget: {windows: 24}
                  search: {Apache_Server: {weight: 128..1024}}"""));
    assertThat(run.results())
        .hasSizeGreaterThan(6)
        .allMatch(window -> window.trial().load().text().equals("10 arrivals/s"))
        .allMatch(window -> window.loaded().generators().get(0).health().arrivals().isPresent());
    assertThat(CommandLines.run("report", run.root().toString()).out()).contains("10 arrivals/s");
  }

  @Test
  void theSimulatorHasArrivals() throws IOException {
    Path file =
        Files.writeString(
            directory.resolve("simulated.yaml"),
            OPEN.formatted(TWO, "[5, 20]", "repetitions: 2\nmeasure: 20s\ngoal: p95 < 9s"));
    Path out = directory.resolve("simulated");
    Said said = CommandLines.run("simulate", file.toString(), "--out", out.toString(), "--verbose");
    assertThat(said.exit()).as(said.err()).isZero();
    List<TrialResult> results = RunDirectory.newest(out).orElseThrow().results();
    assertThat(results)
        .hasSize(8)
        .allSatisfy(
            result -> {
              double expected = size(result) * result.window().seconds();
              assertThat(rate(result) * result.window().seconds())
                  .isBetween(
                      expected - 5 * Math.sqrt(expected), expected + 5 * Math.sqrt(expected));
            });
    assertThat(said.out()).contains("arrivals/s");
  }
}
