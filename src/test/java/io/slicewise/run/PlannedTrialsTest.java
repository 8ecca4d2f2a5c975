package io.slicewise.run;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import io.slicewise.experiment.Experiment;
import io.slicewise.experiment.Plan;
import io.slicewise.experiment.Trial;
import io.slicewise.experiment.file.ExperimentFiles;
import io.slicewise.experiment.load.Load;
import io.slicewise.profile.Credit;
import io.slicewise.profile.Role;
import io.slicewise.profile.Scheduler;
import io.slicewise.profile.SchedulerProfile;
import io.slicewise.run.journal.JournalEvent;
import io.slicewise.run.journal.JournalLines;
import io.slicewise.run.journal.PlannedTrial;
import io.slicewise.run.journal.Seal;
import io.slicewise.run.journal.SweepJson;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Protects the journal of planned trials: it keeps their settings, what results added, and what an
 * edited experiment withdrew; and journals without such lines keep their meaning.
 */
class PlannedTrialsTest {
  private static final Instant AT = Instant.EPOCH;
  private static final SchedulerProfile HEAVY =
      new SchedulerProfile(
          "w900",
          Optional.of(Scheduler.CREDIT),
          Map.of(Role.MAIN, Credit.of(900, 0)),
          Map.of("web", Credit.of(901, 50)));

  @TempDir Path directory;

  private static PlannedTrial heavy(int number, int block) {
    return new PlannedTrial(new Trial(number, block, "w900", Load.beside(2, 25), block), HEAVY);
  }

  private Experiment experiment() throws IOException {
    return ExperimentFiles.read(
        Files.writeString(
            directory.resolve("shop.yaml"),
            """
            name: shop
            host: {address: dom0.example}
            domains: {main: [web]}
            profiles: [as-found]
            workload: observe
            repetitions: 3
            """));
  }

  @Test
  void theJournalKeepsTrialsWithTheirSettings() throws JsonProcessingException {
    JournalEvent event =
        JournalEvent.TrialsPlanned.of(AT, List.of(heavy(1, 1), heavy(2, 2)), List.of(), "slow");
    String line = JournalLines.text(event, 1, Seal.NONE);
    assertThat(Seal.verify(line)).isPresent();
    JournalEvent read = SweepJson.MAPPER.readValue(line, JournalEvent.class);
    assertThat(read).isEqualTo(event);
    assertThat(RunRecord.of(List.of(read)).planned().values())
        .containsExactly(heavy(1, 1), heavy(2, 2));
  }

  @Test
  void profilesThatASourceAddedBelongToTheExperiment() throws IOException {
    RunRecord record =
        RunRecord.of(
            List.of(JournalEvent.TrialsPlanned.of(AT, List.of(heavy(1, 1)), List.of(), "")));
    assertThat(record.extended(experiment()).profiles())
        .containsExactly(SchedulerProfile.AS_FOUND, HEAVY);
  }

  @Test
  void aTrialIsCountedOnceHoweverOftenItIsTriedAndNotWhenItWasWithdrawn() throws IOException {
    PlannedTrial first = heavy(1, 1);
    RunRecord record =
        RunRecord.of(
            List.of(
                JournalEvent.TrialsPlanned.of(
                    AT, List.of(first, heavy(2, 2), heavy(3, 3)), List.of(), ""),
                JournalEvent.TrialsPlanned.of(
                    AT, List.of(first.attempt(2)), List.of(heavy(3, 3).trial().slug()), "")));
    assertThat(record.trials(experiment())).containsExactly(first.trial(), heavy(2, 2).trial());
    assertThat(record.blocks()).isZero();
  }

  @Test
  void aBlockThatResultsAddedEndsAnEarlierStop() {
    RunRecord record =
        RunRecord.of(
            List.of(
                new JournalEvent.Stopped(AT, 3, "3 blocks are the limit"),
                JournalEvent.TrialsPlanned.of(AT, List.of(heavy(4, 4)), List.of(), "wide")));
    assertThat(record.blocks()).isEqualTo(4);
    assertThat(record.stopped()).isEmpty();
  }

  @Test
  void aJournalWithoutPlannedTrialsIsOfTheWholePlan() throws IOException {
    Experiment experiment = experiment();
    assertThat(RunRecord.of(List.of()).trials(experiment)).isEqualTo(Plan.of(experiment));
  }
}
