package io.slicewise.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.slicewise.FinishedTrials;
import io.slicewise.MeasuresInRealTime;
import io.slicewise.SlicewiseProcess;
import io.slicewise.cli.CommandLines.Said;
import io.slicewise.cli.screens.ExitCode;
import io.slicewise.load.generator.Salvage;
import io.slicewise.load.spread.SampleRows;
import io.slicewise.load.spread.StockServer;
import io.slicewise.load.spread.StockServers;
import io.slicewise.run.RunDirectory;
import io.slicewise.run.journal.JournalEvent;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/**
 * Protects sites that use JMeter's own servers as they are: two of them load the lab, from the
 * experiment file to the report, one dies, and a killed run leaves both at work.
 */
@MeasuresInRealTime
@Tag("nightly")
class JMeterServersOnLabTest {
  private static final Duration PATIENCE = Duration.ofMinutes(2);
  private static final String EXPERIMENT =
      """
      name: stock
      lab: {scheduler: credit}
      domains: {main: [Apache_Server]}
      profiles: [{name: heavy, scheduler: credit, main: {weight: 512}}]
      workload: web-app
      generators:
        jmeter-servers: ['%s', '%s']
        keystore: %s
        keystore-password-file: %s
      users: [%d]
      repetitions: 2
      ramp: 0s
      warm-up: 20s
      measure: %s
      cool-down: 0s
      limits: {errors: 50%%, generator-cpu: 100%%, other-work: 100%%, generator-lateness: 9s, lab-lateness: 9s, littles-law: 100%%,
               generator-gc: 100%%, repeat-invalid: 0}
      """;

  @RegisterExtension private static final StockServers SERVERS = new StockServers();
  @TempDir private Path directory;
  private StockServer first;
  private StockServer second;

  @BeforeEach
  void find() {
    first = SERVERS.first();
    second = SERVERS.second();
  }

  private String experiment(StockServer other, int users, String measure) throws IOException {
    Path password = directory.resolve("password");
    Files.writeString(password, StockServer.PASSWORD + "\n");
    return Files.writeString(
            directory.resolve("stock.yaml"),
            EXPERIMENT.formatted(
                first.address(), other.address(), SERVERS.keystore(), password, users, measure))
        .toString();
  }

  private static String said(String... words) {
    return CommandLines.run(words).out().replaceAll("\\s+", " ");
  }

  @Test
  void twoServersLoadTheLabFromThePlanToTheReport() throws Exception {
    Said refused = CommandLines.run("plan", "--offline", experiment(second, 5, "3s"));
    assertThat(refused.exit()).isEqualTo(ExitCode.PREFLIGHT.code());
    assertThat(refused.out().replaceAll("\\s+", " "))
        .contains("5 users cannot be divided equally by 2 JMeter servers; 4 or 6 can");

    String file = experiment(second, 4, "3s");
    assertThat(CommandLines.run("plan", "--offline", file).exit()).isZero();
    assertThat(said("doctor", file))
        .contains("4 users: %s 2, %s 2".formatted(first.address(), second.address()))
        .contains("web-app.jmx loads");
    Path results = directory.resolve("results");
    Said ran = CommandLines.run("run", file, "--results", results.toString(), "--plain");

    // On a busy machine a trial may finish and not be valid; that is not what is tested here.
    assertThat(ran.exit()).as(ran.err()).isIn(CommandLines.measured());
    RunDirectory run = RunDirectory.newest(results).orElseThrow();
    assertThat(run.results()).hasSize(2);
    for (int trial = 0; trial < 2; trial++) {
      assertThat(run.results().get(trial).load().orElseThrow().failed()).isZero();
      List<String> rows = rows(run, trial);
      for (StockServer server : List.of(first, second)) {
        assertThat(rows).anyMatch(row -> row.contains("," + server.address() + "-users 1-2,"));
        assertThat(rows).noneMatch(row -> row.contains("," + server.address() + "-users 1-3,"));
      }
    }
    assertThat(said("report", run.root().toString())).contains("heavy");
    assertThat(run.root().resolve("report.html")).exists();
    nothingIsLeft(run);
  }

  private static List<String> rows(RunDirectory run, int trial) {
    return SampleRows.of(
        run.trialDirectory(run.results().get(trial).trial().slug()).resolve("samples.jtl.gz"));
  }

  /** No users, no mark of a server, and no password in a file. */
  private void nothingIsLeft(RunDirectory run) throws IOException {
    await().atMost(PATIENCE).until(() -> !first.isBusy() && !second.isBusy());
    SERVERS.areUnmarked();
    try (Stream<Path> files = Files.walk(run.root())) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        assertThat(Files.readString(file, StandardCharsets.ISO_8859_1))
            .as(file.toString())
            .doesNotContain(StockServer.PASSWORD);
      }
    }
  }

  @Test
  void aServerThatDiesInTheWindowCostsTheTrialAndIsNamed() throws Exception {
    Path results = directory.resolve("results");
    try (StockServer mortal = SERVERS.another()) {
      String file = experiment(mortal, 4, "60s");
      CompletableFuture<Said> running =
          CompletableFuture.supplyAsync(
              () -> CommandLines.run("run", file, "--results", results.toString(), "--plain"));
      await().atMost(PATIENCE).until(() -> running.isDone() || haveSampled(results, mortal));
      mortal.process().destroyForcibly();

      Said ran = running.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
      String name = mortal.address();
      assertThat(ran.exit()).as(ran.err()).isEqualTo(ExitCode.NO_VALID_DATA.code());
      RunDirectory run = RunDirectory.newest(results).orElseThrow();
      assertThat(run.results()).isEmpty();
      assertThat(
              run.events().stream()
                  .filter(JournalEvent.TrialFailed.class::isInstance)
                  .map(event -> ((JournalEvent.TrialFailed) event).reason()))
          .first()
          .isEqualTo(
              "JMeter server %s sent no sample for 5 s in the window, so it or its network ended"
                  .formatted(name));
      assertThat(run.record().touched()).as("changed settings").isEmpty();
    }
    await().atMost(PATIENCE).until(() -> !first.isBusy());
  }

  /** Whether users of that server are in the file of samples that is being written. */
  private boolean haveSampled(Path results, StockServer server) throws IOException {
    Path copy = directory.resolve("so-far.jtl.gz");
    try (Stream<Path> all = Files.walk(results)) {
      Optional<Path> samples = all.filter(file -> file.endsWith("samples.jtl.gz")).findFirst();
      if (samples.isEmpty()) {
        return false;
      }
      Files.copy(samples.get(), copy, StandardCopyOption.REPLACE_EXISTING);
    } catch (IOException | UncheckedIOException notYet) {
      return false;
    }
    Salvage.complete(copy);
    return SampleRows.of(copy).stream().anyMatch(row -> row.contains("," + server.address() + "-"));
  }

  /** Both the run and the process that is the servers' client are killed. */
  @Test
  void usersThatAKilledRunLeftOnTheServersAreStoppedWhenItIsResumed() throws Exception {
    Path results = directory.resolve("results");
    String file = experiment(second, 4, "3s");
    long earlier = first.started();
    Process process =
        SlicewiseProcess.start(directory, "run", file, "--results", results.toString());
    try {
      FinishedTrials.await(results, 1, () -> !process.isAlive());
      await()
          .atMost(PATIENCE)
          .until(() -> !process.isAlive() || (first.started() > earlier + 1 && second.isBusy()));
      assertThat(process.isAlive()).isTrue();
      process
          .descendants()
          .filter(child -> child.info().commandLine().orElse("").contains("child.Generator"))
          .forEach(ProcessHandle::destroyForcibly);
    } finally {
      process.destroyForcibly().waitFor();
    }
    RunDirectory run = RunDirectory.newest(results).orElseThrow();
    await().during(Duration.ofSeconds(2)).until(() -> first.isBusy() && second.isBusy());
    long started = first.started();

    Said resumed = CommandLines.run("resume", run.root().toString(), "--plain");

    assertThat(resumed.exit()).as(resumed.err()).isIn(CommandLines.measured());
    assertThat(FinishedTrials.of(run)).hasSize(2);
    assertThat(first.started()).isGreaterThan(started);
    nothingIsLeft(run);
  }
}
