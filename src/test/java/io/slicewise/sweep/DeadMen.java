package io.slicewise.sweep;

import static org.assertj.core.api.Assertions.assertThat;

import io.slicewise.SlicewiseProcess;
import io.slicewise.experiment.Experiment;
import io.slicewise.lab.Lab;
import io.slicewise.lab.LabSettings;
import io.slicewise.run.RunDirectory;
import io.slicewise.ssh.Command;
import io.slicewise.ssh.RemoteShell;
import io.slicewise.sweep.deadman.HostSwitch;
import io.slicewise.sweep.guard.HostLock;
import io.slicewise.sweep.guard.HostShells;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.awaitility.Awaitility;

/** Runs with a dead man's switch, killed in a process of their own. */
abstract class DeadMen extends SweepsOnLab {
  static final Duration PATIENCE = Duration.ofMinutes(3);

  final Path experiment(Lab lab, String deadMan, String measure) throws IOException {
    return armed(LabExperiment.pair(lab, directory), deadMan, measure);
  }

  static Path armed(Path file, String deadMan, String measure) throws IOException {
    return Files.writeString(
        file,
        Files.readString(file)
            .replace("  user: root\n", "  user: root\n  dead-man: " + deadMan + "\n")
            .replace("measure: 1s", "measure: " + measure));
  }

  /** Starts a run in a process of its own and kills it once it has changed the host. */
  final RunDirectory killedRun(Lab lab, LabSettings asFound, Path experiment) throws Exception {
    Path results = directory.resolve("results");
    Process process =
        SlicewiseProcess.start(
            directory, "run", experiment.toString(), "--results", results.toString());
    try {
      Awaitility.await()
          .atMost(PATIENCE)
          .pollInterval(Duration.ofMillis(5))
          .until(() -> !process.isAlive() || !lab.settings().equals(asFound));
    } finally {
      process.destroyForcibly().waitFor();
    }
    assertThat(lab.settings())
        .as(Files.readString(directory.resolve("run.log")))
        .isNotEqualTo(asFound);
    return RunDirectory.newest(results).orElseThrow();
  }

  static void awaitRestored(Lab lab, LabSettings asFound) {
    Awaitility.await()
        .atMost(PATIENCE)
        .pollInterval(Duration.ofMillis(20))
        .untilAsserted(() -> assertThat(lab.settings()).isEqualTo(asFound));
  }

  /** The switch removes the lock last. */
  static void awaitRestoredAndUnlocked(Lab lab, LabSettings asFound, Experiment experiment) {
    awaitRestored(lab, asFound);
    Awaitility.await()
        .atMost(PATIENCE)
        .until(() -> onHost(experiment, "readlink", HostLock.LINK).isEmpty());
  }

  static String onHost(Experiment experiment, String... words) {
    try (RemoteShell shell = HostShells.open(experiment.host().orElseThrow())) {
      return shell.run(Command.reading(words)).standardOutput().strip();
    }
  }

  static void assertNothingLeft(Experiment experiment) {
    assertThat(onHost(experiment, "ls", "-1", HostSwitch.HOME)).isEmpty();
    assertThat(onHost(experiment, "readlink", HostLock.LINK)).isEmpty();
  }
}
