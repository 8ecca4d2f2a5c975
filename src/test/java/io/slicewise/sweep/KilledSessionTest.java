package io.slicewise.sweep;

import static org.assertj.core.api.Assertions.assertThat;

import io.slicewise.KeepsTheMachineBusy;
import io.slicewise.SlicewiseProcess;
import io.slicewise.experiment.Experiment;
import io.slicewise.experiment.SessionKey;
import io.slicewise.experiment.Trial;
import io.slicewise.lab.Lab;
import io.slicewise.lab.LabSettings;
import io.slicewise.run.RunDirectory;
import io.slicewise.run.journal.JournalEvent;
import io.slicewise.run.journal.RunState;
import io.slicewise.run.result.TrialResult;
import io.slicewise.sweep.guard.SweepOptions;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * Protects the promises of a run to a session that is killed with SIGKILL: what its finished
 * windows measured is kept, every setting can be put back, and the rest goes into a new session.
 */
@KeepsTheMachineBusy
@Execution(ExecutionMode.CONCURRENT)
@Tag("thorough")
class KilledSessionTest extends SweepsOnLab {
  private static final Duration PATIENCE = Duration.ofSeconds(90);
  private static final int KILLED = 4;

  @Test
  void aSessionKilledInAWashOutIsRestoredAndMadeUpFor() throws Exception {
    killAndMend(slug -> true);
  }

  /** The counters of dom0 are read for the first time when a window begins. */
  @Test
  void aSessionKilledInAWindowIsRestoredAndMadeUpFor() throws Exception {
    killAndMend(window -> Files.exists(window.resolve("proc")));
  }

  private void killAndMend(Predicate<Path> moment) throws Exception {
    try (Lab lab = Lab.start(burning())) {
      LabSettings asFound = lab.settings();
      Path file =
          LabExperiment.switchbackPair(
              lab, directory, "sessions: 1, blocks: 2, window: 1s, wash-out: 1s");
      Path results = directory.resolve("results");
      Process process =
          SlicewiseProcess.start(
              directory, "run", file.toString(), "--results", results.toString());
      try {
        Awaitility.await()
            .atMost(PATIENCE)
            .pollInterval(Duration.ofMillis(2))
            .until(() -> !process.isAlive() || started(results).filter(moment).isPresent());
        assertThat(process.isAlive()).isTrue();
      } finally {
        process.destroyForcibly().waitFor();
      }
      RunDirectory run = RunDirectory.newest(results).orElseThrow();
      Experiment experiment = LabExperiment.read(file);
      List<Trial> kept = run.results().stream().map(TrialResult::trial).toList();
      assertThat(kept).extracting(Trial::number).containsExactly(1, 2, 3);

      HostRestore.restore(run, experiment, SweepOptions.DEFAULT, Clock.systemUTC());
      assertThat(lab.settings()).isEqualTo(asFound);

      assertThat(LabExperiment.resume(run, experiment).state()).isEqualTo(RunState.DONE);
      assertThat(lab.settings()).isEqualTo(asFound);
      List<Trial> all = run.results().stream().map(TrialResult::trial).toList();
      assertThat(run.root().resolve("trials").toFile().list())
          .containsExactlyInAnyOrder(all.stream().map(Trial::slug).toArray(String[]::new));
      assertThat(all).hasSize(5).startsWith(kept.toArray(Trial[]::new));
      assertThat(all.subList(3, 5))
          .allMatch(trial -> trial.session().map(SessionKey::number).equals(Optional.of(2)))
          .extracting(Trial::profile)
          .containsExactlyInAnyOrder("as-found", "w1024");
    }
  }

  /** The directory of the window to kill, once its settings are in place. */
  private static Optional<Path> started(Path results) {
    return RunDirectory.newest(results)
        .flatMap(
            run ->
                run.events().stream()
                    .filter(JournalEvent.TrialStarted.class::isInstance)
                    .map(JournalEvent.TrialStarted.class::cast)
                    .filter(event -> event.trial() == KILLED)
                    .map(event -> run.trialDirectory(event.slug()))
                    .findFirst());
  }
}
