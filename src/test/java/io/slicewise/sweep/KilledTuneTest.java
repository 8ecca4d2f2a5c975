package io.slicewise.sweep;

import static org.assertj.core.api.Assertions.assertThat;

import io.slicewise.KeepsTheMachineBusy;
import io.slicewise.SlicewiseProcess;
import io.slicewise.experiment.Experiment;
import io.slicewise.lab.Lab;
import io.slicewise.lab.LabGuest;
import io.slicewise.lab.LabOptions;
import io.slicewise.lab.LabSettings;
import io.slicewise.profile.Scheduler;
import io.slicewise.run.RunDirectory;
import io.slicewise.run.journal.JournalEvent;
import io.slicewise.run.journal.PlannedTrial;
import io.slicewise.run.journal.PlannedTrial.Purpose;
import io.slicewise.run.journal.RunState;
import io.slicewise.run.result.Measured;
import io.slicewise.run.result.TrialResult;
import io.slicewise.sweep.source.TrialHistory;
import io.slicewise.sweep.source.TuneSource;
import io.slicewise.tune.course.CandidatePool;
import io.slicewise.tune.course.RaceCourse;
import io.slicewise.tune.course.TuneRuns;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * Protects the promises of a tune that is killed with SIGKILL: {@code tune --continue} keeps the
 * finished windows, plans exactly what follows from them, confirms, and leaves the host as found.
 */
@KeepsTheMachineBusy
@Execution(ExecutionMode.CONCURRENT)
@Tag("thorough")
class KilledTuneTest {
  private static final Duration PATIENCE = Duration.ofMinutes(2);
  private static final int KILLED = 4;

  @TempDir private Path directory;

  @Test
  @Tag("nightly")
  void continuesATuneKilledInAWashOut() throws Exception {
    killAndContinue(run -> started(run).isPresent());
  }

  /** The counters of dom0 are read for the first time when a window begins. */
  @Test
  @Tag("nightly")
  void continuesATuneKilledInAWindow() throws Exception {
    killAndContinue(
        run -> started(run).filter(window -> Files.exists(window.resolve("proc"))).isPresent());
  }

  @Test
  @Tag("nightly")
  void continuesATuneKilledBetweenRaceAndConfirmationAndAddsANight() throws Exception {
    try (Lab lab = lab()) {
      LabSettings asFound = lab.settings();
      RunDirectory run =
          killAndContinue(
              lab,
              one ->
                  one.record().planned().values().stream()
                      .anyMatch(trial -> trial.purpose() == Purpose.CONFIRMATION));
      RaceCourse first = race(run);
      assertThat(first.decided()).isFalse();

      assertThat(tune().waitFor()).isZero();
      RaceCourse second = race(run);
      assertThat(RunDirectory.below(run.root().getParent())).hasSize(1);
      assertThat(second.path().size()).isGreaterThan(first.path().size());
      assertThat(second.path()).startsWith(first.path().toArray(RaceCourse.BlockState[]::new));
      assertThat(second.names()).startsWith(first.names().toArray(String[]::new));
      assertThat(second.confirmation().orElseThrow().confirmed()).isTrue();
      assertThat(lab.settings()).isEqualTo(asFound);
    }
  }

  private void killAndContinue(Predicate<RunDirectory> moment) throws Exception {
    try (Lab lab = lab()) {
      killAndContinue(lab, moment);
    }
  }

  /** Two guests that want all pCPUs, so that weights decide between them. */
  private static Lab lab() {
    return Lab.start(
        LabOptions.sshOnly()
            .withScheduler(Scheduler.CREDIT)
            .withGuests(LabGuest.burning("Apache_Server", 4), LabGuest.burning("NFS_Server", 4)));
  }

  private RunDirectory killAndContinue(Lab lab, Predicate<RunDirectory> moment) throws Exception {
    LabSettings asFound = lab.settings();
    LabExperiment.tune(lab, directory, "blocks: 2, window: 1s, wash-out: 1s", "windows: 18");
    Path results = directory.resolve("results");
    Process process = tune();
    try {
      Awaitility.await()
          .atMost(PATIENCE)
          .pollInterval(Duration.ofMillis(20))
          .until(
              () -> !process.isAlive() || RunDirectory.newest(results).filter(moment).isPresent());
      assertThat(process.isAlive()).isTrue();
    } finally {
      process.destroyForcibly().waitFor();
    }
    RunDirectory run = RunDirectory.newest(results).orElseThrow();
    List<TrialResult> kept = run.results();
    CandidatePool pool = TuneRuns.pool(run).orElseThrow();
    List<RaceCourse.BlockState> path = race(run).path();
    List<PlannedTrial> next = next(run);
    assertThat(next).isNotEmpty();

    assertThat(tune().waitFor()).isZero();
    assertThat(lab.settings()).isEqualTo(asFound);
    assertThat(run.record().touched()).isEmpty();
    assertThat(run.record().state()).isEqualTo(RunState.DONE);
    assertThat(run.results()).startsWith(kept.toArray(TrialResult[]::new));
    assertThat(run.results()).extracting(one -> one.trial().number()).doesNotHaveDuplicates();
    assertThat(TuneRuns.pool(run)).contains(pool);
    assertThat(run.record().planned().values()).containsAll(next);
    assertThat(race(run).path()).startsWith(path.toArray(RaceCourse.BlockState[]::new));
    assertThat(race(run).confirmation().orElseThrow().confirmed()).isTrue();
    return run;
  }

  private Process tune() throws Exception {
    return SlicewiseProcess.start(
        directory,
        "tune",
        directory.resolve("experiment.yaml").toString(),
        "--continue",
        "--results",
        directory.resolve("results").toString());
  }

  /** What the decisions ask for after the results that the killed process left. */
  private static List<PlannedTrial> next(RunDirectory run) {
    Experiment experiment = run.load().experiment();
    TuneSource.Candidates candidates =
        new TuneSource.Candidates() {
          @Override
          public boolean needCalibration() {
            return false;
          }

          @Override
          public Optional<CandidatePool> pool() {
            return TuneRuns.pool(run);
          }
        };
    return TuneSource.of(experiment, candidates, TuneRuns.nights(run.events()))
        .next(
            TrialHistory.of(
                run.record(),
                run.results().stream().map(Measured::of).toList(),
                Set.of(),
                Duration.ZERO,
                Optional.empty()))
        .open();
  }

  private static RaceCourse race(RunDirectory run) {
    return TuneRuns.course(run.load()).orElseThrow().races().get(0);
  }

  /** The directory of the window to kill, once its settings are in place. */
  private static Optional<Path> started(RunDirectory run) {
    return run.events().stream()
        .filter(JournalEvent.TrialStarted.class::isInstance)
        .map(JournalEvent.TrialStarted.class::cast)
        .filter(event -> event.trial() == KILLED)
        .map(event -> run.trialDirectory(event.slug()))
        .findFirst();
  }
}
