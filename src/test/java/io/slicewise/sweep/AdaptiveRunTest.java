package io.slicewise.sweep;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.slicewise.MeasuresInRealTime;
import io.slicewise.SlicewiseProcess;
import io.slicewise.evidence.analysis.CellSummary;
import io.slicewise.evidence.facts.RunCheck;
import io.slicewise.lab.Lab;
import io.slicewise.lab.LabGuest;
import io.slicewise.lab.LabOptions;
import io.slicewise.lab.LabSettings;
import io.slicewise.profile.Credit;
import io.slicewise.profile.Scheduler;
import io.slicewise.report.Reports;
import io.slicewise.run.RunDirectory;
import io.slicewise.run.journal.JournalEvent;
import io.slicewise.run.journal.RunState;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * Protects what a source of trials may do: ask for profiles that follow from earlier results and
 * are in no experiment file, and be asked again after a kill. The resumed run takes the path that
 * the undisturbed one takes, and its report counts every profile.
 */
@MeasuresInRealTime
@Execution(ExecutionMode.CONCURRENT)
class AdaptiveRunTest {
  private static final List<String> PATH =
      List.of("0001-as-found-u0-r1", "0002-w512-u0-r1", "0003-as-found-u0-r2", "0004-w1024-u0-r2");

  @TempDir Path directory;

  /** Two guests burn on one pCPU, so that a weight of 512 to 256 gives two thirds of it. */
  private static LabOptions contended() {
    return LabOptions.sshOnly()
        .withScheduler(Scheduler.CREDIT)
        .withCpus(1, 1)
        .withGuests(LabGuest.burning("Apache_Server", 1), LabGuest.burning("NFS_Server", 1));
  }

  @Test
  void profilesFollowFromResultsAndTheReportCountsThem() throws IOException {
    try (Lab lab = Lab.start(contended())) {
      LabSettings asFound = lab.settings();
      Sweep sweep = begin(experiment(lab));
      assertThat(sweep.execute().state()).isEqualTo(RunState.DONE);
      assertThat(lab.settings()).isEqualTo(asFound);
      RunDirectory run = sweep.run();
      assertPath(run);
      assertThat(run.load().experiment().profiles())
          .extracting(profile -> profile.name())
          .containsExactly("as-found", "w512", "w1024");
      assertThat(Reports.write(run).summary().cells())
          .extracting(CellSummary::profile, CellSummary::n)
          .contains(tuple("w1024", 1));
      assertThat(RunCheck.violations(run.load())).noneMatch(violation -> violation.serious());
    }
  }

  @Test
  void aKilledRunIsResumedOnTheSamePath() throws Exception {
    try (Lab lab = Lab.start(contended())) {
      LabSettings asFound = lab.settings();
      Path experiment = experiment(lab);
      killWhenTrialStarts(experiment, 4);
      RunDirectory run = RunDirectory.newest(directory.resolve("results")).orElseThrow();
      assertThat(run.record().finished()).containsExactly(1, 2, 3);
      List<JournalEvent> planned = planned(run);
      Sweep resumed =
          LocalSweep.of(LabExperiment.read(experiment)).resume(run).from(new ClimbingSource());
      assertThat(resumed.execute().state()).isEqualTo(RunState.DONE);
      assertThat(lab.settings()).isEqualTo(asFound);
      assertPath(run);
      assertThat(planned(run)).isEqualTo(planned);
    }
  }

  /** Windows long enough for xenmon, which writes a row per second. */
  private Path experiment(Lab lab) throws IOException {
    Path file = LabExperiment.two(lab, directory);
    String text = Files.readString(file).replace("measure: 1s", "measure: 4s");
    return Files.writeString(file, text);
  }

  private static void assertPath(RunDirectory run) {
    assertThat(run.results()).extracting(result -> result.trial().slug()).isEqualTo(PATH);
    assertThat(run.results().get(3).host().applied())
        .containsEntry("Apache_Server", Credit.of(1024, 0));
    assertThat(run.record().stopped().orElseThrow().reason()).startsWith("Apache_Server runs");
  }

  private static List<JournalEvent> planned(RunDirectory run) {
    return run.events().stream().filter(JournalEvent.TrialsPlanned.class::isInstance).toList();
  }

  private Sweep begin(Path experiment) {
    return LocalSweep.of(LabExperiment.read(experiment))
        .begin(directory.resolve("results"))
        .from(new ClimbingSource());
  }

  private void killWhenTrialStarts(Path experiment, int number) throws Exception {
    Path results = directory.resolve("results");
    File log = directory.resolve("run.log").toFile();
    Process process =
        SlicewiseProcess.of(
                ClimbingSource.class, directory, experiment.toString(), results.toString())
            .redirectOutput(log)
            .start();
    try {
      Awaitility.await()
          .atMost(Duration.ofMinutes(2))
          .pollInterval(Duration.ofMillis(5))
          .until(() -> !process.isAlive() || hasStarted(results, number));
      assertThat(process.isAlive()).as(log.toString()).isTrue();
    } finally {
      process.destroyForcibly().waitFor();
    }
  }

  private static boolean hasStarted(Path results, int number) {
    return RunDirectory.newest(results).stream()
        .flatMap(run -> run.events().stream())
        .anyMatch(
            event ->
                event instanceof JournalEvent.TrialStarted started && started.trial() == number);
  }
}
