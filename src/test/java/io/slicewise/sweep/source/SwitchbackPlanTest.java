package io.slicewise.sweep.source;

import static org.assertj.core.api.Assertions.assertThat;

import io.slicewise.experiment.Experiment;
import io.slicewise.experiment.Plan;
import io.slicewise.experiment.SessionKey;
import io.slicewise.experiment.Trial;
import io.slicewise.experiment.file.ExperimentFiles;
import io.slicewise.experiment.load.Load;
import io.slicewise.run.journal.PlannedTrial;
import io.slicewise.run.result.Measured;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a switchback design runs next: the rest of its session, or a new one for what was lost. */
class SwitchbackPlanTest {
  private static final SessionKey FIRST = new SessionKey(Load.of(0), 1);
  private static final SessionKey SECOND = new SessionKey(Load.of(0), 2);

  @TempDir private Path directory;
  private Experiment experiment;
  private List<Trial> plan;
  private TrialSource source;

  @BeforeEach
  void plan() throws IOException {
    experiment =
        ExperimentFiles.read(
            Files.writeString(
                directory.resolve("night.yaml"),
                """
                name: night
                host: {address: dom0.example}
                domains: {main: [web]}
                profiles:
                  - as-found
                  - {name: heavy, scheduler: credit, main: {weight: 512}}
                workload: {name: observe}
                design: {kind: switchback, sessions: 2, blocks: 3, window: 5s}
                """));
    plan = Plan.of(experiment);
    source = TrialSource.of(experiment);
  }

  private List<Trial> open(int measured, Set<SessionKey> begun, Optional<SessionKey> running) {
    return open(plan.subList(0, measured), planned(plan), begun, running);
  }

  private List<PlannedTrial> planned(List<Trial> trials) {
    return PlannedTrial.of(experiment, trials);
  }

  private List<Trial> open(
      List<Trial> measured,
      List<PlannedTrial> planned,
      Set<SessionKey> begun,
      Optional<SessionKey> running) {
    return source
        .next(
            new TrialHistory(
                planned,
                measured.stream()
                    .map(one -> new Measured(one, true, Map.of(), List.of(), 1))
                    .toList(),
                Set.of(),
                0,
                Duration.ZERO,
                begun,
                running,
                Map.of()))
        .open()
        .stream()
        .map(PlannedTrial::trial)
        .toList();
  }

  @Test
  void theSessionUnderWayGoesOn() {
    assertThat(open(0, Set.of(), Optional.empty())).isEqualTo(plan);
    assertThat(open(3, Set.of(FIRST), Optional.of(FIRST))).isEqualTo(plan.subList(3, 12));
    assertThat(open(12, Set.of(FIRST, SECOND), Optional.of(SECOND))).isEmpty();
  }

  @Test
  void aSessionThatWasCutShortIsReplacedByOneOfItsMissingBlocks() {
    // Its first block is complete, of its second one window is.
    List<Trial> rest = open(3, Set.of(FIRST), Optional.empty());
    assertThat(rest.subList(0, 6)).isEqualTo(plan.subList(6, 12));
    List<Trial> more = rest.subList(6, rest.size());
    assertThat(more)
        .hasSize(4)
        .allSatisfy(one -> assertThat(one.session()).contains(new SessionKey(Load.of(0), 3)))
        .extracting(Trial::block)
        .containsExactly(7, 7, 8, 8);
    assertThat(more).extracting(Trial::number).containsExactly(13, 14, 15, 16);
    assertThat(more).extracting(Trial::repetition).containsExactly(7, 7, 8, 8);
  }

  private List<Trial> disturbed(
      List<Trial> measured,
      Set<Integer> disturbed,
      List<PlannedTrial> planned,
      Set<SessionKey> begun,
      Optional<SessionKey> running) {
    return answer(measured, disturbed, planned, begun, running).open().stream()
        .map(PlannedTrial::trial)
        .toList();
  }

  private TrialSource.Answer answer(
      List<Trial> measured,
      Set<Integer> disturbed,
      List<PlannedTrial> planned,
      Set<SessionKey> begun,
      Optional<SessionKey> running) {
    List<Measured> results =
        measured.stream()
            .map(
                one ->
                    new Measured(
                        one,
                        !disturbed.contains(one.number()),
                        Map.of(),
                        List.of(),
                        1,
                        disturbed.contains(one.number()),
                        Optional.empty()))
            .toList();
    return source.next(
        new TrialHistory(planned, results, Set.of(), 0, Duration.ZERO, begun, running, Map.of()));
  }

  @Test
  void aDisturbedBlockIsReplacedAtTheEndOfItsSession() {
    // Of the first session, one window of the second block is disturbed.
    List<Trial> done = plan.subList(0, 6);
    List<Trial> open = disturbed(done, Set.of(4), planned(plan), Set.of(FIRST), Optional.of(FIRST));
    List<Trial> more = open.subList(0, 2);
    assertThat(more)
        .allSatisfy(one -> assertThat(one.session()).contains(FIRST))
        .allSatisfy(one -> assertThat(one.place().orElseThrow().block()).isEqualTo(4))
        .extracting(Trial::profile)
        .containsExactlyInAnyOrder("as-found", "heavy");
    assertThat(open.subList(2, open.size())).isEqualTo(plan.subList(6, 12));

    // The same answer when the block is in the journal, and no second replacement.
    List<Trial> all = new ArrayList<>(plan);
    all.addAll(more);
    assertThat(disturbed(done, Set.of(4), planned(all), Set.of(FIRST), Optional.of(FIRST)))
        .isEqualTo(open);
    List<Trial> both = new ArrayList<>(done);
    both.addAll(more);
    assertThat(disturbed(both, Set.of(4), planned(all), Set.of(FIRST), Optional.of(FIRST)))
        .isEqualTo(plan.subList(6, 12));
  }

  @Test
  void aDisturbedBlockOfAKilledSessionIsReplacedInANewOne() {
    List<Trial> open =
        disturbed(plan.subList(0, 6), Set.of(4), planned(plan), Set.of(FIRST), Optional.empty());
    assertThat(open.subList(0, 6)).isEqualTo(plan.subList(6, 12));
    assertThat(open.subList(6, open.size()))
        .hasSize(2)
        .allSatisfy(one -> assertThat(one.session()).contains(new SessionKey(Load.of(0), 3)));
  }

  @Test
  void saysOnceWhyBlocksAreAdded() {
    List<Trial> done = plan.subList(0, 6);
    TrialSource.Answer running =
        answer(done, Set.of(2, 4), planned(plan), Set.of(FIRST), Optional.of(FIRST));
    assertThat(running.reason())
        .isEqualTo("2 more blocks in session 1, for those that other programs disturbed");
    assertThat(answer(done, Set.of(4), planned(plan), Set.of(FIRST), Optional.empty()).reason())
        .isEqualTo(
            "1 more block in session 3, for one that was cut short or disturbed by other programs");
    assertThat(
            answer(done, Set.of(2, 4), running.open(), Set.of(FIRST), Optional.of(FIRST)).reason())
        .isEmpty();
    assertThat(answer(done, Set.of(), planned(plan), Set.of(FIRST), Optional.of(FIRST)).reason())
        .isEmpty();
  }

  @Test
  void noBlockIsReplacedOnAMachineThatIsAlwaysBusy() {
    Set<Integer> all = new HashSet<>(List.of(1, 2, 3, 4, 5, 6));
    assertThat(disturbed(plan.subList(0, 6), all, planned(plan), Set.of(FIRST), Optional.of(FIRST)))
        .isEqualTo(plan.subList(6, 12));
  }

  @Test
  void theReplacementStaysAsItWasPlannedAndCanBeReplacedItself() {
    List<Trial> rest = open(3, Set.of(FIRST), Optional.empty());
    List<Trial> journalled = new ArrayList<>(plan.subList(0, 3));
    journalled.addAll(rest);
    assertThat(open(plan.subList(0, 3), planned(journalled), Set.of(FIRST), Optional.empty()))
        .isEqualTo(rest);

    Set<SessionKey> all = new HashSet<>(Set.of(FIRST, SECOND, new SessionKey(Load.of(0), 3)));
    List<Trial> measured = new ArrayList<>(plan.subList(0, 3));
    measured.addAll(rest.subList(0, 8));
    assertThat(open(measured, planned(journalled), all, Optional.empty()))
        .hasSize(2)
        .allSatisfy(one -> assertThat(one.session()).contains(new SessionKey(Load.of(0), 4)));
    measured.addAll(rest.subList(8, 10));
    assertThat(open(measured, planned(journalled), all, Optional.empty())).isEmpty();
  }

  @Test
  void blocksOfTwoBootsNeverShareANumber() throws IOException {
    experiment =
        ExperimentFiles.read(
            Files.writeString(
                directory.resolve("boots.yaml"),
                """
                name: boots
                host: {address: dom0.example}
                domains: {main: [web]}
                profiles:
                  - as-found
                  - {name: heavy, scheduler: credit, main: {weight: 512}}
                  - {name: one, scheduler: credit2, main: {weight: 256}}
                  - {name: two, scheduler: credit2, main: {weight: 512}}
                workload: {name: observe}
                design: {kind: switchback, sessions: 1, blocks: 3, window: 5s}
                """));
    plan = Plan.of(experiment);
    source = TrialSource.of(experiment);
    List<Trial> all = new ArrayList<>(plan);
    all.addAll(open(3, Set.of(FIRST), Optional.empty()));
    Map<Integer, Set<SessionKey>> sessions = new HashMap<>();
    all.forEach(
        one ->
            sessions
                .computeIfAbsent(one.block(), any -> new HashSet<>())
                .add(one.session().orElseThrow()));
    assertThat(all).extracting(Trial::block).contains(7, 8);
    assertThat(sessions.values()).allSatisfy(of -> assertThat(of).hasSize(1));
  }
}
