package io.slicewise.sweep;

import static org.assertj.core.api.Assertions.assertThat;

import io.slicewise.KeepsTheMachineBusy;
import io.slicewise.experiment.Experiment;
import io.slicewise.experiment.Plan;
import io.slicewise.experiment.SessionKey;
import io.slicewise.experiment.Trial;
import io.slicewise.lab.Lab;
import io.slicewise.lab.LabSettings;
import io.slicewise.lab.fault.LabFault;
import io.slicewise.lab.fault.LabFault.FaultKind;
import io.slicewise.profile.Credit;
import io.slicewise.run.journal.JournalEvent;
import io.slicewise.run.journal.RunState;
import io.slicewise.run.result.TrialResult;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * Protects switchback sessions on an embedded host reached over real SSH: each window runs under
 * its own settings, a mismatch voids one window alone, and the host is left as found.
 */
@KeepsTheMachineBusy
@Execution(ExecutionMode.CONCURRENT)
class SwitchbackOnLabTest extends SweepsOnLab {
  private static final String SHORT = "sessions: 1, blocks: 2, window: 1s, wash-out: 200ms";

  private Experiment experiment(Lab lab, String design) {
    return LabExperiment.read(LabExperiment.switchback(lab, directory, design));
  }

  @Test
  void everyWindowRunsUnderItsOwnSettingsInTheOrderPlanned() {
    try (Lab lab = Lab.start(burning())) {
      LabSettings asFound = lab.settings();
      Experiment experiment = experiment(lab, SHORT);
      Map<String, LabSettings> seen = new HashMap<>();
      List<Trial> order = new ArrayList<>();
      Sweep sweep =
          sweep(
              experiment,
              measuring(
                  trial -> {
                    seen.put(trial.profile(), lab.settings());
                    order.add(trial);
                  }));
      assertThat(sweep.execute().state()).isEqualTo(RunState.DONE);
      assertThat(order).isEqualTo(Plan.of(experiment));
      assertThat(seen.get("as-found")).isEqualTo(asFound);
      assertThat(seen.get("w512").of("Apache_Server")).isEqualTo(Credit.of(512, 0));
      assertThat(seen.get("w512").of("NFS_Server")).isEqualTo(asFound.of("NFS_Server"));
      assertThat(seen.get("w1024").of("NFS_Server")).isEqualTo(Credit.of(128, 0));
      assertThat(seen.get("cap50").of("Apache_Server").toString()).contains("50");
      assertThat(lab.settings()).isEqualTo(asFound);
      assertThat(sweep.run().results())
          .hasSize(8)
          .allMatch(TrialResult::valid)
          .allSatisfy(
              result -> {
                assertThat(result.trial().place()).isPresent();
                assertThat(result.warmUp().end()).isEqualTo(result.window().start());
                assertThat(result.warmUp().length()).isGreaterThan(Duration.ofMillis(199));
                assertThat(result.shares()).isNotEmpty();
              });
    }
  }

  @Test
  void aSettingThatDoesNotTakeVoidsItsWindowAndNotTheSession() {
    LabFault ignored = LabFault.at(FaultKind.IGNORE_SETTING, "xl sched-credit -d").occurrence(3);
    try (Lab lab = Lab.start(burning().withFaults(ignored))) {
      LabSettings asFound = lab.settings();
      Sweep sweep = sweep(experiment(lab, SHORT));
      assertThat(sweep.execute().state()).isEqualTo(RunState.DONE);
      List<TrialResult> results = sweep.run().results();
      assertThat(results).hasSize(8);
      assertThat(results.stream().filter(result -> !result.valid()))
          .singleElement()
          .satisfies(result -> assertThat(result.reasons()).first().asString().contains("asked"));
      assertThat(sessionsBegun(sweep)).hasSize(1);
      assertThat(lab.settings()).isEqualTo(asFound);
    }
  }

  @Test
  void aWindowThatIsCutShortIsMadeUpForByANewSession() {
    try (Lab lab = Lab.start(burning())) {
      LabSettings asFound = lab.settings();
      Experiment experiment = experiment(lab, SHORT);
      Sweep first =
          sweep(
              experiment,
              measuring(
                  trial -> {
                    if (trial.number() == 6) {
                      stop.askNow();
                    }
                  }));
      assertThat(first.execute().state()).isEqualTo(RunState.INTERRUPTED);
      assertThat(lab.settings()).isEqualTo(asFound);
      assertThat(first.run().results()).hasSize(5);

      assertThat(LabExperiment.resume(first.run(), experiment).state()).isEqualTo(RunState.DONE);
      assertThat(lab.settings()).isEqualTo(asFound);
      assertThat(sessionsBegun(first)).extracting(SessionKey::number).containsExactly(1, 2);
      assertThat(first.run().results())
          .hasSize(9)
          .filteredOn(result -> result.trial().place().orElseThrow().session() == 2)
          .extracting(result -> result.trial().profile())
          .containsExactlyInAnyOrder("as-found", "w512", "w1024", "cap50");
      assertThat(LabExperiment.resume(first.run(), experiment).state()).isEqualTo(RunState.DONE);
      assertThat(first.run().results()).hasSize(9);
    }
  }

  @Test
  void aHostThatIsLostEndsTheSessionAndTheRestGoesIntoANewOne() {
    LabFault lost = LabFault.at(FaultKind.DROP_CONNECTION, "xl sched-credit -d").occurrence(4);
    try (Lab lab = Lab.start(burning().withFaults(lost))) {
      LabSettings asFound = lab.settings();
      Sweep sweep = sweep(experiment(lab, SHORT));
      assertThat(sweep.execute().state()).isEqualTo(RunState.DONE);
      assertThat(sessionsBegun(sweep)).hasSize(2);
      assertThat(lab.settings()).isEqualTo(asFound);
      Optional<JournalEvent.SessionEnded> ended =
          sweep.run().events().stream()
              .filter(JournalEvent.SessionEnded.class::isInstance)
              .map(JournalEvent.SessionEnded.class::cast)
              .findFirst();
      assertThat(ended.orElseThrow().reason()).isNotEmpty();
    }
  }

  @Test
  void aSourceMayChooseTheCandidatesOfTheNextBlockWhileTheSessionGoesOn() {
    try (Lab lab = Lab.start(burning())) {
      LabSettings asFound = lab.settings();
      Map<String, LabSettings> seen = new HashMap<>();
      Sweep sweep =
          sweep(experiment(lab, SHORT), measuring(one -> seen.put(one.profile(), lab.settings())))
              .from(new CandidateSource(256));
      assertThat(sweep.execute().state()).isEqualTo(RunState.DONE);
      assertThat(sessionsBegun(sweep)).extracting(SessionKey::number).containsExactly(1, 2);
      assertThat(sweep.run().results())
          .extracting(result -> result.trial().profile())
          .containsExactly("as-found", "try-512", "as-found", "try-1024", "as-found", "try-2048");
      assertThat(seen.get("try-2048").of("Apache_Server")).isEqualTo(Credit.of(2048, 0));
      assertThat(lab.settings()).isEqualTo(asFound);
    }
  }

  @Test
  void theSessionOfATuneGoesOnWithoutACandidateThatTheHostRefuses() {
    try (Lab lab = Lab.start(burning())) {
      LabSettings asFound = lab.settings();
      Experiment tune =
          LabExperiment.read(
              LabExperiment.tune(
                  lab, directory, "blocks: 2, window: 1s, wash-out: 200ms", "windows: 40"));
      Sweep sweep = sweep(tune).from(new CandidateSource(20_000));
      sweep.execute();
      assertThat(sweep.run().results())
          .extracting(result -> result.trial().profile())
          .containsExactly("as-found", "try-40000", "as-found", "as-found");
      assertThat(sessionsBegun(sweep)).extracting(SessionKey::number).containsExactly(1, 2);
      assertThat(sweep.run().record().failed().values())
          .extracting(JournalEvent.TrialFailed::reason)
          .containsExactly(
              "weight 80000 of Apache_Server is out of range 1..65535.",
              "weight 160000 of Apache_Server is out of range 1..65535.");
      assertThat(lab.settings()).isEqualTo(asFound);
    }
  }

  /** More of them in a row than the failed trials that end a run; none is left to be run again. */
  @Test
  void aTuneOfTrialsGoesOnWithoutTheCandidatesThatTheHostRefuses() throws IOException {
    try (Lab lab = Lab.start(burning())) {
      LabSettings asFound = lab.settings();
      Path file = LabExperiment.tune(lab, directory, "blocks: 2, window: 1s", "trials: 40");
      String trials =
          Files.readString(file)
              .replaceFirst("design: .*\n", "design: {kind: trials}\nmeasure: 1s\n");
      Sweep sweep =
          sweep(LabExperiment.read(Files.writeString(file, trials)))
              .from(CandidateSource.atOnce(70_000, 70_001, 70_002, 70_003, 70_004, 70_005, 512));
      assertThat(sweep.execute().state()).isEqualTo(RunState.DONE);
      assertThat(sweep.run().results())
          .extracting(result -> result.trial().profile())
          .containsExactly("try-512");
      assertThat(sweep.run().record().failed().values())
          .hasSize(6)
          .extracting(JournalEvent.TrialFailed::reason)
          .contains("weight 70005 of Apache_Server is out of range 1..65535.");
      assertThat(lab.settings()).isEqualTo(asFound);
    }
  }

  private static List<SessionKey> sessionsBegun(Sweep sweep) {
    return sweep.run().events().stream()
        .filter(JournalEvent.SessionStarted.class::isInstance)
        .map(event -> ((JournalEvent.SessionStarted) event).session())
        .toList();
  }
}
