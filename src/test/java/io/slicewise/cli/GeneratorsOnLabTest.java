package io.slicewise.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.slicewise.MeasuresInRealTime;
import io.slicewise.cli.CommandLines.Said;
import io.slicewise.cli.screens.ExitCode;
import io.slicewise.run.GeneratorResult;
import io.slicewise.run.JournalEvent;
import io.slicewise.run.RunDirectory;
import io.slicewise.run.TrialResult;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Protects runs whose load comes from two machines of the lab, from the experiment file to the
 * report: sessions of several windows, a kill in the middle of one, and the resumed rest.
 */
@MeasuresInRealTime
class GeneratorsOnLabTest {
  private static final Duration PATIENCE = Duration.ofMinutes(2);
  private static final String SESSION =
      """
      name: two
      lab: {scheduler: credit}
      domains: {main: [Apache_Server]}
      profiles:
        - as-found
        - {name: heavy, scheduler: credit, main: {weight: 512}}
      workload: web-app
      generators: [lab1, lab2]
      users: [5]
      design: {kind: switchback, sessions: 1, blocks: 2, window: 1s, wash-out: 300ms}
      ramp: 0s
      warm-up: 2s
      limits: {errors: 50%, generator-cpu: 100%, generator-lateness: 9s, lab-lateness: 9s, littles-law: 100%}
      """;

  @TempDir private Path directory;

  @Test
  void aKilledSessionOverTwoGeneratorsIsResumedAndReported() throws Exception {
    Path results = directory.resolve("results");
    killedAfterTheFirstWindow(results);
    RunDirectory run = RunDirectory.newest(results).orElseThrow();

    Said resumed = CommandLines.run("resume", run.root().toString(), "--plain");

    // On a busy machine windows may finish and not be valid; that is not what is tested here.
    assertThat(resumed.exit())
        .as(resumed.err())
        .isIn(ExitCode.OK.code(), ExitCode.NO_VALID_DATA.code(), ExitCode.TRIALS_FAILED.code());
    List<TrialResult> windows = run.results();
    assertThat(windows).hasSizeGreaterThanOrEqualTo(4).allSatisfy(window -> isOfBoth(run, window));
    Said report = CommandLines.run("report", run.root().toString());
    assertThat(report.out())
        .contains("Load generators")
        .containsPattern("5 +lab1 +[0-9]+ +3 ")
        .containsPattern("5 +lab2 +[0-9]+ +2 ");
    assertThat(Files.readAllLines(run.root().resolve("tables/generators.csv")))
        .hasSize(3)
        .first()
        .asString()
        .contains("generator,n,its_users,requests_per_second", "clock_bound_ms");
    assertThat(run.root().resolve("report.html")).content().contains("data-table=\"generators\"");
  }

  private static void isOfBoth(RunDirectory run, TrialResult window) {
    List<GeneratorResult> each = window.loaded().generators();
    assertThat(each).extracting(GeneratorResult::name).containsExactly("lab1", "lab2");
    assertThat(each).extracting(GeneratorResult::users).containsExactly(3, 2);
    assertThat(each.stream().mapToLong(GeneratorResult::requests).sum())
        .isEqualTo(window.load().orElseThrow().samples());
    assertThat(each)
        .allSatisfy(
            one -> {
              assertThat(one.clockBoundMillis()).isPositive().isLessThan(1_000);
              assertThat(one.health().cpuSeconds()).isPositive();
              assertThat(run.trialDirectory(window.trial().slug()).resolve(one.samples()))
                  .isNotEmptyFile();
            });
  }

  private void killedAfterTheFirstWindow(Path results) throws Exception {
    Path file = Files.writeString(directory.resolve("two.yaml"), SESSION);
    Process process = start("run", file.toString(), "--results", results.toString());
    List<ProcessHandle> below = new ArrayList<>();
    try {
      Awaitility.await()
          .atMost(PATIENCE)
          .pollInterval(Duration.ofMillis(20))
          .until(() -> !process.isAlive() || finished(results) > 0);
      process.descendants().filter(GeneratorsOnLabTest::isGenerator).forEach(below::add);
      assertThat(below).as("generators").hasSize(2);
    } finally {
      process.destroyForcibly().waitFor();
    }
    Awaitility.await()
        .atMost(PATIENCE)
        .until(() -> below.stream().noneMatch(ProcessHandle::isAlive));
  }

  private static boolean isGenerator(ProcessHandle process) {
    return process
        .info()
        .commandLine()
        .filter(line -> line.contains("/java-arguments"))
        .isPresent();
  }

  private Process start(String... arguments) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xshare:auto"));
    command.add("-Dslicewise.home=" + System.getProperty("slicewise.home", "."));
    command.add("-Djava.io.tmpdir=" + directory);
    command.addAll(List.of("-cp", System.getProperty("java.class.path")));
    command.add("io.slicewise.cli.Main");
    command.addAll(List.of(arguments));
    return new ProcessBuilder(command)
        .redirectErrorStream(true)
        .redirectOutput(directory.resolve("run.log").toFile())
        .start();
  }

  private static long finished(Path results) {
    Optional<RunDirectory> run = RunDirectory.newest(results);
    return run.map(
            one ->
                one.events().stream().filter(JournalEvent.TrialFinished.class::isInstance).count())
        .orElse(0L);
  }
}
