package io.slicewise.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.slicewise.FinishedTrials;
import io.slicewise.MeasuresInRealTime;
import io.slicewise.SlicewiseProcess;
import io.slicewise.cli.CommandLines.Said;
import io.slicewise.cli.screens.ExitCode;
import io.slicewise.load.spread.LabMachines;
import io.slicewise.load.spread.SampleRows;
import io.slicewise.run.RunDirectory;
import io.slicewise.run.journal.PlannedTrial;
import io.slicewise.run.journal.PlannedTrial.Purpose;
import io.slicewise.run.result.TrialLoad.GeneratorResult;
import io.slicewise.run.result.TrialResult;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Protects runs whose load comes from two machines of the lab, from the experiment file to the
 * report: sessions of several windows, a kill in the middle of one, and the resumed rest.
 */
@MeasuresInRealTime
class GeneratorsOnLabTest {
  private static final Duration PATIENCE = Duration.ofMinutes(2);
  private static final Pattern TRIAL = Pattern.compile("@(\\S+)/java-arguments");
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
      limits: {errors: 50%, generator-cpu: 100%, other-work: 100%, generator-lateness: 9s, lab-lateness: 9s, littles-law: 100%,
               repeat-invalid: 0}
      """;

  private static final String TUNE =
      """
      name: tuned
      lab:
        demand-factor: 0.5
        scheduler: credit
        guests:
          - {name: Apache_Server, vcpus: 1}
          - {name: NFS_Server, vcpus: 2}
          - {name: MySQL_Server, vcpus: 2}
          - {name: Batch, vcpus: 4, burns: true}
      domains: {main: [Apache_Server, NFS_Server, MySQL_Server], other: [Batch]}
      profiles: [as-found]
      workload: web-app
      generators: [lab1, lab2]
      users: 5
      design: {kind: switchback, blocks: 3, window: 1s, wash-out: 200ms}
      ramp: 0s
      warm-up: 2s
      limits: {errors: 50%, generator-cpu: 100%, other-work: 100%, generator-lateness: 9s, lab-lateness: 9s, generator-gc: 100%, littles-law: 100%}
      tune:
        goal: lowest mean
        budget: {windows: 24}
        search: {Batch: {weight: 16..128}}
      """;

  @TempDir private Path directory;

  @BeforeAll
  static void keepJars() {
    LabMachines.keepJars();
  }

  @Test
  void doctorDoesNotAskToMeasureMachinesThatEndWithTheLab() throws IOException {
    Path file = Files.writeString(directory.resolve("two.yaml"), SESSION);
    Said doctor = CommandLines.run("doctor", file.toString());
    assertThat(doctor.out())
        .contains("5 users: lab1 3, lab2 2")
        .doesNotContain("slicewise generator check");
  }

  @Test
  void aKilledSessionOverTwoGeneratorsIsResumedAndReported() throws Exception {
    Path results = directory.resolve("results");
    killedAfterTheFirstWindow(results);
    RunDirectory run = RunDirectory.newest(results).orElseThrow();

    Said resumed = CommandLines.run("resume", run.root().toString(), "--plain");

    // On a busy machine windows may finish and not be valid; that is not what is tested here.
    assertThat(resumed.exit())
        .as(resumed.err())
        .isIn(CommandLines.measured(ExitCode.TRIALS_FAILED));
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

  /** The tuner's calibration, its races and the confirmation are measured by both. */
  @Test
  @Tag("nightly")
  void aTuneMeasuresEveryWindowWithTwoGenerators() throws Exception {
    Path file = Files.writeString(directory.resolve("tuned.yaml"), TUNE);
    Path results = directory.resolve("results");

    Said tuned = CommandLines.run("tune", file.toString(), "--results", results.toString(), "-q");

    RunDirectory run = RunDirectory.newest(results).orElseThrow();
    assertThat(tuned.out()).as(tuned.err()).contains("ANSWER  ");
    assertThat(run.results()).hasSizeGreaterThan(12).allSatisfy(window -> isOfBoth(run, window));
    assertThat(run.record().planned().values())
        .extracting(PlannedTrial::purpose)
        .contains(Purpose.CALIBRATION, Purpose.RACE, Purpose.CONFIRMATION);
    assertThat(run.record().touched()).isEmpty();
    assertThat(CommandLines.run("report", run.root().toString()).out())
        .contains("ANSWER  ", "Load generators");
  }

  /** The trial fails with its name, its samples are evidence, and the trial runs again. */
  @Test
  @Tag("nightly")
  void aKilledGeneratorFailsItsTrialWhichRunsAgain() throws Exception {
    Path results = directory.resolve("results");
    Path file =
        Files.writeString(
            directory.resolve("two.yaml"),
            SESSION.replaceFirst("design: .*\\n", "repetitions: 1\nmeasure: 4s\ncool-down: 0s\n"));
    Process process =
        SlicewiseProcess.start(directory, "run", file.toString(), "--results", results.toString());
    try {
      second(process).destroyForcibly();
      assertThat(process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
    } finally {
      process.destroyForcibly().waitFor();
    }
    assertThat(process.exitValue()).isEqualTo(ExitCode.TRIALS_FAILED.code());
    RunDirectory run = RunDirectory.newest(results).orElseThrow();
    assertThat(run.record().failed().values())
        .singleElement()
        .satisfies(
            failed ->
                assertThat(failed.reason())
                    .startsWith("generator lab2 ended ")
                    .contains("(2 of 5 users): the JVM of generator lab2 ended unexpectedly"));

    assertThat(CommandLines.run("resume", run.root().toString(), "--plain").exit())
        .isIn(CommandLines.measured());
    assertThat(run.results()).hasSize(2).allSatisfy(trial -> isOfBoth(run, trial));
    try (Stream<Path> aside = Files.walk(run.root().resolve("set-aside"))) {
      assertThat(aside.filter(one -> one.toString().endsWith(".jtl.gz")))
          .singleElement()
          .satisfies(
              kept -> {
                assertThat(kept).endsWithRaw(Path.of("lab2", "incomplete-samples.jtl.gz"));
                assertThat(SampleRows.of(kept)).isNotEmpty();
              });
    }
  }

  /** The process of the second generator, once it has written samples. */
  private static ProcessHandle second(Process run) {
    return Awaitility.await()
        .atMost(PATIENCE)
        .until(
            () -> run.descendants().filter(GeneratorsOnLabTest::isSecond).findFirst(),
            found -> found.isPresent() || !run.isAlive())
        .orElseThrow();
  }

  private static boolean isSecond(ProcessHandle process) {
    Matcher trial = TRIAL.matcher(process.info().commandLine().orElse(""));
    return trial.find()
        && trial.group(1).endsWith("-1")
        && Path.of(trial.group(1), "samples.jtl.gz").toFile().length() > 500;
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
    Process process =
        SlicewiseProcess.start(directory, "run", file.toString(), "--results", results.toString());
    List<ProcessHandle> below = new ArrayList<>();
    try {
      FinishedTrials.await(results, 1, () -> !process.isAlive());
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
}
