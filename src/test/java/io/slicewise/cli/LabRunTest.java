package io.slicewise.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.slicewise.FinishedTrials;
import io.slicewise.KeepsTheMachineBusy;
import io.slicewise.SlicewiseProcess;
import io.slicewise.base.json.Json;
import io.slicewise.cli.CommandLines.Said;
import io.slicewise.cli.screens.ExitCode;
import io.slicewise.run.RunDirectory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Protects runs on the embedded lab from the lab's death: it ends with the process that began the
 * run, and the next process brings another one, with other ports.
 */
@KeepsTheMachineBusy
class LabRunTest {
  private static final Duration PATIENCE = Duration.ofSeconds(90);
  private static final String TINY =
      """
      name: tiny
      lab: {scheduler: credit}
      domains: {main: [Apache_Server]}
      profiles:
        - {name: heavy, scheduler: credit, main: {weight: 512}}
      workload: web-app
      users: [2]
      repetitions: 2
      ramp: 0s
      warm-up: 500ms
      measure: 1s
      cool-down: 0s
      limits: {errors: 50%, generator-cpu: 100%, other-work: 100%, generator-lateness: 9s, lab-lateness: 9s, littles-law: 100%,
               repeat-invalid: 0}
      """;

  @TempDir private Path directory;

  @Test
  void terminatedRunGoesOnOnANewLab() throws Exception {
    Path results = directory.resolve("results");
    assertThat(terminatedAfterTheFirstTrial(results)).isEqualTo(ExitCode.INTERRUPTED.code());
    RunDirectory run = RunDirectory.newest(results).orElseThrow();
    String root = run.root().toString();
    assertThat(FinishedTrials.of(run)).hasSize(1);

    Said restored = CommandLines.run("restore", root);
    assertThat(restored.exit()).isZero();
    assertThat(restored.out()).contains("lab of this run is gone");

    Said resumed = CommandLines.run("resume", root, "--format", "json");
    // On a busy machine a trial may finish and not be valid; that is not what is tested here.
    assertThat(resumed.exit()).as(resumed.err()).isIn(CommandLines.measured());
    assertThat(FinishedTrials.of(run)).hasSize(2);
    JsonNode end = Json.mapper().readTree(resumed.out());
    assertThat(end.at("/run").asText()).isEqualTo(root);
    assertThat(end.at("/exitCode").asInt()).isEqualTo(resumed.exit());
    assertThat(end.at("/restored/Apache_Server").asText()).isEqualTo("weight 256 cap 0");
    assertThat(end.at("/leftChanged")).isEmpty();
    assertThat(end.at("/summary/trialsFinished").asInt()).isEqualTo(2);
    assertThat(end.at("/summary/host").asText()).contains("embedded lab");
    assertThat(resumed.err().lines())
        .allMatch(line -> line.length() <= 100 || !line.contains(" "))
        .noneMatch(line -> line.contains("\033"));
    assertClosedToOthers(run.root());
  }

  private static void assertClosedToOthers(Path root) throws IOException {
    try (Stream<Path> all = Files.walk(root)) {
      assertThat(all)
          .hasSizeGreaterThan(10)
          .allSatisfy(
              path ->
                  assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(path)))
                      .isEqualTo(Files.isDirectory(path) ? "rwx------" : "rw-------"));
    }
  }

  private int terminatedAfterTheFirstTrial(Path results) throws Exception {
    Path file = Files.writeString(directory.resolve("tiny.yaml"), TINY);
    Process process =
        SlicewiseProcess.start(directory, "run", file.toString(), "--results", results.toString());
    try {
      FinishedTrials.await(results, 1, () -> !process.isAlive());
      process.destroy();
      assertThat(process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
      return process.exitValue();
    } finally {
      process.destroyForcibly();
    }
  }
}
