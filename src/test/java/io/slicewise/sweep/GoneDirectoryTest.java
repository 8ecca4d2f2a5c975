package io.slicewise.sweep;

import static org.assertj.core.api.Assertions.assertThat;

import io.slicewise.KeepsTheMachineBusy;
import io.slicewise.SlicewiseProcess;
import io.slicewise.cli.screens.ExitCode;
import io.slicewise.experiment.Experiment;
import io.slicewise.lab.Lab;
import io.slicewise.lab.LabSettings;
import io.slicewise.lab.fault.LabFault;
import io.slicewise.lab.fault.LabFault.FaultKind;
import io.slicewise.run.RunDirectory;
import io.slicewise.run.journal.RunState;
import io.slicewise.sweep.guard.HostLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * Protects a host whose run loses its directory: the run ends, restores the host, and says what
 * became of both.
 */
@KeepsTheMachineBusy
@Execution(ExecutionMode.CONCURRENT)
@Tag("thorough")
class GoneDirectoryTest extends SweepsOnLab {
  private static final Duration PATIENCE = Duration.ofMinutes(3);
  private static final String RESTORED =
      "the host is restored and verified: Apache_Server weight 256 cap 0, NFS_Server weight 256 cap"
          + " 0";

  /** What a run printed, and its exit code. */
  private record Ended(int code, String said) {}

  private interface Meddling {
    void with(Path run) throws Exception;
  }

  /** Runs in a process of its own, and does that to the run directory when the host is changed. */
  private Ended run(Lab lab, Path experiment, Meddling meddling) throws Exception {
    LabSettings asFound = lab.settings();
    Path results = directory.resolve("results");
    Process process =
        SlicewiseProcess.start(
            directory, "run", experiment.toString(), "--results", results.toString());
    try {
      Awaitility.await()
          .atMost(PATIENCE)
          .pollInterval(Duration.ofMillis(5))
          .until(() -> !process.isAlive() || !lab.settings().equals(asFound));
      meddling.with(RunDirectory.newest(results).orElseThrow().root());
      assertThat(process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
    } finally {
      process.destroyForcibly().waitFor();
    }
    assertThat(RunDirectory.below(results)).as("nothing appears at its old place").isEmpty();
    return new Ended(
        process.exitValue(),
        Files.readString(directory.resolve("run.log")).replaceAll("\\s+", " "));
  }

  private Path elsewhere() {
    return directory.resolve("moved");
  }

  private void remove(Path run) throws Exception {
    Files.move(run, elsewhere());
    assertThat(new ProcessBuilder("rm", "-rf", elsewhere().toString()).start().waitFor()).isZero();
  }

  @Test
  void aMovedDirectoryIsFoundAgainAndItsRunGoesOn() throws Exception {
    try (Lab lab = Lab.start(burning())) {
      LabSettings asFound = lab.settings();
      Path file = LabExperiment.pair(lab, directory);
      Ended ended = run(lab, file, run -> Files.move(run, elsewhere()));
      assertThat(lab.settings()).isEqualTo(asFound);
      assertThat(ended.said())
          .contains("was moved to " + elsewhere() + "; " + RESTORED)
          .contains("slicewise resume " + elsewhere());
      assertThat(ended.code()).isEqualTo(ExitCode.DIRECTORY_GONE.code());
      RunDirectory moved = RunDirectory.open(elsewhere());
      assertThat(moved.record().state()).isEqualTo(RunState.DIRECTORY_GONE);
      assertThat(LabExperiment.resume(moved, LabExperiment.read(file)).state())
          .isEqualTo(RunState.DONE);
      assertThat(lab.settings()).isEqualTo(asFound);
    }
  }

  @Test
  void aRemovedDirectoryIsSaidAndTheHostIsRestored() throws Exception {
    try (Lab lab = Lab.start(burning())) {
      LabSettings asFound = lab.settings();
      Path file = LabExperiment.pair(lab, directory);
      Ended ended = run(lab, file, this::remove);
      assertThat(lab.settings()).isEqualTo(asFound);
      assertThat(ended.said()).contains("was removed, and with it all results; " + RESTORED);
      assertThat(ended.code()).isEqualTo(ExitCode.DIRECTORY_GONE.code());
      assertThat(lock(LabExperiment.read(file))).isEmpty();
    }
  }

  /** The settings found are nowhere else by then, and other runs must not take what is left. */
  @Test
  void aHostThatCannotBeRestoredKeepsItsLockAndTheSettingsFoundAreSaid() throws Exception {
    LabFault refused =
        LabFault.at(FaultKind.REFUSE_COMMAND, "xl sched-credit -d 1 -w 256 -c 0").times(100);
    try (Lab lab = Lab.start(burning().withFaults(refused))) {
      Path file = LabExperiment.pair(lab, directory);
      Ended ended = run(lab, file, this::remove);
      assertThat(ended.said())
          .contains(
              "was removed, and with it all results; the host is NOT restored; found were"
                  + " Apache_Server weight 256 cap 0");
      assertThat(ended.code()).isEqualTo(ExitCode.HOST_NOT_RESTORED.code());
      assertThat(lock(LabExperiment.read(file))).startsWith("watched-");
    }
  }

  private static String lock(Experiment experiment) {
    return DeadMen.onHost(experiment, "readlink", HostLock.LINK);
  }
}
