package io.slicewise.sweep;

import static org.assertj.core.api.Assertions.assertThat;

import io.slicewise.KeepsTheMachineBusy;
import io.slicewise.MeasuresInRealTime;
import io.slicewise.SlicewiseProcess;
import io.slicewise.cli.CommandLines;
import io.slicewise.cli.screens.ExitCode;
import io.slicewise.experiment.Experiment;
import io.slicewise.experiment.PairPlan;
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
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * Protects a study of pairs on an embedded host: it runs the coins that are in its journal, in
 * windows of the length of their pair, and a kill loses no more than the pair under way.
 */
@KeepsTheMachineBusy
@Execution(ExecutionMode.CONCURRENT)
@MeasuresInRealTime
class PairsOnLabTest extends SweepsOnLab {
  private static final Duration PATIENCE = Duration.ofSeconds(90);
  private static final String SHORT = "window: 2s, wash-out: 200ms, at-most: {pairs: 4}";

  @Test
  void everyPairHasTheOrderOfItsCoinAndTheLengthOfItsPair() {
    try (Lab lab = Lab.start(burning().withXenmon(true))) {
      LabSettings asFound = lab.settings();
      Experiment experiment = LabExperiment.read(LabExperiment.pairs(lab, directory, SHORT));
      Sweep sweep = sweep(experiment);
      assertThat(sweep.execute().state()).isEqualTo(RunState.DONE);
      assertThat(lab.settings()).isEqualTo(asFound);
      List<TrialResult> results = sweep.run().results();
      assertThat(results).hasSize(8);
      assertThat(results)
          .extracting(TrialResult::trial)
          .isEqualTo(drawn(experiment, 4, new SessionKey(results.get(0).trial().load(), 1)));
      assertThat(results)
          .allSatisfy(
              result ->
                  assertThat(result.window().length())
                      .isGreaterThanOrEqualTo(experiment.measure(result.trial())));
      assertThat(sweep.run().record().stopped().orElseThrow().reason())
          .startsWith("4 pairs of a candidate are the limit: w1024");
      // Every coin is in the journal before its first window begins.
      List<JournalEvent> events = sweep.run().events();
      for (TrialResult result : results) {
        assertThat(place(events, result.trial(), JournalEvent.TrialsPlanned.class))
            .isLessThan(place(events, result.trial(), JournalEvent.TrialStarted.class));
      }
    }
  }

  private static List<Trial> drawn(Experiment experiment, int pairs, SessionKey session) {
    PairPlan plan = new PairPlan(experiment);
    List<Trial> drawn = new ArrayList<>();
    for (int pair = 0; pair < pairs; pair++) {
      drawn.addAll(plan.next(drawn, List.of("w1024"), drawn.size() + 1, session));
    }
    return drawn;
  }

  private static int place(
      List<JournalEvent> events, Trial trial, Class<? extends JournalEvent> kind) {
    for (int i = 0; i < events.size(); i++) {
      JournalEvent event = events.get(i);
      boolean its =
          (event instanceof JournalEvent.TrialsPlanned planned && planned.trials().contains(trial))
              || (event instanceof JournalEvent.TrialStarted started
                  && started.slug().equals(trial.slug()));
      if (its && kind.isInstance(event)) {
        return i;
      }
    }
    throw new AssertionError("no " + kind.getSimpleName() + " of " + trial.slug());
  }

  @Test
  void aStudyKilledInAPairIsRestoredAndGoesOnWithTheCoinsOfItsJournal() throws Exception {
    try (Lab lab = Lab.start(burning())) {
      LabSettings asFound = lab.settings();
      Path file = LabExperiment.pairs(lab, directory, SHORT);
      Path results = directory.resolve("results");
      Process process =
          SlicewiseProcess.start(
              directory, "run", file.toString(), "--results", results.toString());
      try {
        Awaitility.await()
            .atMost(PATIENCE)
            .pollInterval(Duration.ofMillis(2))
            .until(() -> !process.isAlive() || hasBegun(results, 4));
        assertThat(process.isAlive()).isTrue();
      } finally {
        process.destroyForcibly().waitFor();
      }
      RunDirectory run = RunDirectory.newest(results).orElseThrow();
      Experiment experiment = LabExperiment.read(file);
      List<Trial> kept = run.results().stream().map(TrialResult::trial).toList();
      assertThat(kept).extracting(Trial::number).startsWith(1, 2);

      HostRestore.restore(run, experiment, SweepOptions.DEFAULT, Clock.systemUTC());
      assertThat(lab.settings()).isEqualTo(asFound);

      assertThat(LabExperiment.resume(run, experiment).state()).isEqualTo(RunState.DONE);
      assertThat(lab.settings()).isEqualTo(asFound);
      List<Trial> all = run.results().stream().map(TrialResult::trial).toList();
      assertThat(all).startsWith(kept.toArray(Trial[]::new));
      List<Trial> first = drawn(experiment, 4, new SessionKey(all.get(0).load(), 1));
      for (Trial trial : all) {
        Trial coin =
            first.get(2 * (trial.block() - 1) + trial.place().orElseThrow().position() - 1);
        assertThat(trial.profile()).isEqualTo(coin.profile());
      }
      assertThat(all)
          .filteredOn(trial -> !kept.contains(trial))
          .allMatch(trial -> trial.session().map(SessionKey::number).equals(Optional.of(2)));
      assertThat(LabExperiment.resume(run, experiment).state()).isEqualTo(RunState.DONE);
      assertThat(run.results()).hasSameSizeAs(all);
    }
  }

  private static CommandLines.Said goOn(Path file, Path results) {
    return CommandLines.run(
        "run", file.toString(), "--continue", "--anyway", "--plain", "--results", results + "");
  }

  @Test
  void aStudyGoesOnForAnotherNightWithNewBoundsAndTheSameQuestion() throws Exception {
    try (Lab lab = Lab.start(burning())) {
      LabSettings asFound = lab.settings();
      Path file =
          LabExperiment.pairs(
              lab, directory, "window: 1s, wash-out: 200ms, at-most: {pairs: 1, nights: 2}");
      Path results = directory.resolve("nights");
      assertThat(goOn(file, results).exit()).isIn(CommandLines.measured());
      RunDirectory run = RunDirectory.newest(results).orElseThrow();
      assertThat(run.results()).hasSize(2);

      String written = Files.readString(file);
      Files.writeString(file, written.replace("pairs: 1,", "pairs: 3,"));
      CommandLines.Said second = goOn(file, results);
      assertThat(second.exit()).as(second.err()).isIn(CommandLines.measured());
      assertThat(RunDirectory.below(results)).hasSize(1);
      assertThat(run.results())
          .extracting(result -> result.trial().session().orElseThrow().number())
          .containsExactly(1, 1, 2, 2, 2, 2);
      assertThat(run.results())
          .extracting(TrialResult::trial)
          .extracting(Trial::block)
          .containsExactly(1, 1, 2, 2, 3, 3);
      assertThat(lab.settings()).isEqualTo(asFound);

      CommandLines.Said third = goOn(file, results);
      assertThat(third.exit()).isZero();
      assertThat(third.out()).contains("has had its 2 nights", "nothing was started");

      String other =
          written
              .replace("nights: 2", "nights: 9")
              .replace("pairs: 1", "pairs: 9")
              .replace("share of Apache_Server", "share of NFS_Server");
      Files.writeString(file, other);
      CommandLines.Said refused = goOn(file, results);
      assertThat(refused.exit()).isEqualTo(ExitCode.USAGE.code());
      assertThat(refused.err())
          .contains("goal of pairs was", "the bounds of pairs (at-most, harm, hours, not-during)");
      assertThat(run.results()).hasSize(6);
      assertThat(LabExperiment.read(run.experimentFile()).pairs().orElseThrow().most().nights())
          .contains(2);
    }
  }

  @Test
  @Tag("nightly")
  void pairsWaitForTheirHoursWithTheSettingsFound() {
    LocalTime begin =
        LocalTime.now(ZoneId.systemDefault()).truncatedTo(ChronoUnit.MINUTES).plusMinutes(2);
    try (Lab lab = Lab.start(burning())) {
      LabSettings asFound = lab.settings();
      Sweep sweep =
          sweep(
              LabExperiment.read(
                  LabExperiment.pairs(
                      lab,
                      directory,
                      "window: 2s, wash-out: 200ms, at-most: {pairs: 1}, hours: [\"%s-%s\"]"
                          .formatted(begin, begin.plusMinutes(30)))));
      assertThat(sweep.execute().state()).isEqualTo(RunState.DONE);
      assertThat(lab.settings()).isEqualTo(asFound);
      assertThat(sweep.run().results())
          .hasSize(2)
          .allSatisfy(
              result ->
                  assertThat(LocalTime.ofInstant(result.window().start(), ZoneId.systemDefault()))
                      .isBetween(begin, begin.plusMinutes(2)));
    }
  }

  @Test
  void aStudyWhoseHoursComeAfterItsTimeEndsInsteadOfWaiting() {
    LocalTime begin =
        LocalTime.now(ZoneId.systemDefault()).truncatedTo(ChronoUnit.MINUTES).plusHours(3);
    try (Lab lab = Lab.start(burning())) {
      LabSettings asFound = lab.settings();
      Sweep sweep =
          sweep(
              LabExperiment.read(
                  LabExperiment.pairs(
                      lab,
                      directory,
                      "window: 2s, wash-out: 200ms, at-most: {pairs: 4, time: 2h}, hours: [\"%s-%s\"]"
                          .formatted(begin, begin.plusMinutes(30)))));
      assertThat(sweep.execute().state()).isEqualTo(RunState.NO_VALID_DATA);
      assertThat(lab.settings()).isEqualTo(asFound);
      assertThat(sweep.run().results()).isEmpty();
      assertThat(sweep.run().record().stopped().orElseThrow().reason())
          .contains("no pair may run before", "would not end within 2h");
      assertThat(sweep.run().record().planned()).isEmpty();
      assertThat(JournalEvent.of(sweep.run().events(), JournalEvent.Stopped.class)).hasSize(1);
    }
  }

  @Test
  void anotherProcessStopsAStudyWithinSeconds() throws Exception {
    try (Lab lab = Lab.start(burning())) {
      LabSettings asFound = lab.settings();
      Path file =
          LabExperiment.pairs(lab, directory, "window: 5m, wash-out: 1s, at-most: {pairs: 9}");
      Path results = directory.resolve("results");
      Process process =
          SlicewiseProcess.start(
              directory, "run", file.toString(), "--anyway", "--results", results.toString());
      try {
        Awaitility.await().atMost(PATIENCE).until(() -> !process.isAlive() || hasBegun(results, 1));
        assertThat(process.isAlive()).isTrue();
        Path run = RunDirectory.newest(results).orElseThrow().root();
        long asked = System.nanoTime();
        CommandLines.Said said = CommandLines.run("stop", run.toString());
        assertThat(said.exit()).as(said.err()).isZero();
        assertThat(Duration.ofNanos(System.nanoTime() - asked)).isLessThan(Duration.ofSeconds(20));
        assertThat(said.out()).contains("interrupted");
        assertThat(lab.settings()).isEqualTo(asFound);
        assertThat(process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
        assertThat(run.resolve("stop")).doesNotExist();

        CommandLines.Said again = CommandLines.run("stop", run.toString());
        assertThat(again.exit()).isEqualTo(ExitCode.USAGE.code());
        assertThat(again.err()).contains("no process works on");
      } finally {
        process.destroyForcibly().waitFor();
      }
    }
  }

  private static boolean hasBegun(Path results, int trial) {
    return RunDirectory.newest(results).stream()
        .flatMap(run -> JournalEvent.of(run.events(), JournalEvent.TrialStarted.class))
        .anyMatch(event -> event.trial() == trial);
  }
}
