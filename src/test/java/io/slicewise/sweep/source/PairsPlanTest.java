package io.slicewise.sweep.source;

import static org.assertj.core.api.Assertions.assertThat;

import io.slicewise.experiment.Experiment;
import io.slicewise.experiment.SessionKey;
import io.slicewise.experiment.Trial;
import io.slicewise.experiment.file.ExperimentFiles;
import io.slicewise.experiment.load.Load;
import io.slicewise.run.journal.PlannedTrial;
import io.slicewise.run.result.Measured;
import io.slicewise.run.result.PairedStudy;
import io.slicewise.run.result.TrialTimes.CutShort;
import io.slicewise.stats.SlowdownAlarm.Kind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.ToDoubleFunction;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a study of pairs runs next: pair after pair, until every candidate is decided about. */
class PairsPlanTest {
  private static final SessionKey FIRST = new SessionKey(Load.of(25), 1);

  @TempDir private Path directory;
  private Experiment experiment;
  private TrialSource source;
  private final List<PlannedTrial> planned = new ArrayList<>();
  private final List<Measured> measured = new ArrayList<>();

  @BeforeEach
  void plan() throws IOException {
    experiment = read("design: {kind: pairs, at-most: {pairs: 30, time: 1h}}");
    source = TrialSource.of(experiment);
  }

  private Experiment read(String design) throws IOException {
    return ExperimentFiles.read(
        Files.writeString(
            directory.resolve("night.yaml"),
            """
            name: night
            host: {address: dom0.example}
            domains: {main: [web]}
            profiles:
              - as-found
              - {name: heavy, scheduler: credit, main: {weight: 512}}
              - {name: light, scheduler: credit, main: {weight: 128}}
            workload: {name: web-app, target: "http://web.example/"}
            users: 25
            goal: lowest mean
            """
                + design
                + "\n"));
  }

  private TrialSource.Answer ask(Optional<SessionKey> running, Duration elapsed) {
    return source.next(
        new TrialHistory(
            planned, measured, Set.of(), 0, elapsed, Set.of(FIRST), running, Map.of()));
  }

  private TrialSource.Answer ask() {
    return ask(Optional.of(FIRST), Duration.ZERO);
  }

  /** Runs the study; its windows have these means. */
  private TrialSource.Answer run(ToDoubleFunction<Trial> mean) {
    TrialSource.Answer answer = ask();
    while (!answer.open().isEmpty()) {
      assertThat(answer.open()).hasSize(2);
      planned.addAll(answer.open());
      answer.open().forEach(one -> measure(one.trial(), mean.applyAsDouble(one.trial()), true));
      answer = ask();
    }
    return answer;
  }

  private void measure(Trial trial, double mean, boolean valid) {
    measured.add(new Measured(trial, valid, Map.of("mean", mean), List.of(), 10));
  }

  @Test
  void endsOnceEveryCandidateIsDecidedAbout() {
    TrialSource.Answer end =
        run(
            trial ->
                switch (trial.profile()) {
                  case "heavy" -> 90;
                  case "light" -> 130;
                  default -> 100 + trial.number() % 3;
                });
    assertThat(end.reason()).startsWith("decided: heavy -").contains("better; light +", "worse");
    assertThat(planned).hasSizeLessThan(60);
  }

  @Test
  void aCandidateThatIsDecidedAboutLeavesAndTheOtherGoesOnToTheLimit() {
    TrialSource.Answer end =
        run(
            trial ->
                trial.profile().equals("heavy")
                    ? 80
                    : 100 * (1 + 0.3 * Math.sin(trial.number() * 7.3)));
    assertThat(end.reason()).startsWith("30 pairs of a candidate are the limit");
    assertThat(of("light")).isEqualTo(30);
    assertThat(of("heavy")).isBetween(8L, 29L);
  }

  private long of(String profile) {
    return planned.stream().filter(one -> one.trial().profile().equals(profile)).count();
  }

  @Test
  void noPairBeginsThatWouldEndAfterTheLimitOfTime() {
    assertThat(ask(Optional.of(FIRST), Duration.ofMinutes(59)).open()).hasSize(2);
    assertThat(ask(Optional.of(FIRST), Duration.ofHours(1)).reason())
        .startsWith("another pair would not end within 1h: heavy: no pair counts");
  }

  @Test
  void aPairUnderWayIsFinishedBeforeAnotherIsDrawn() {
    planned.addAll(ask().open());
    measure(planned.get(0).trial(), 100, true);
    assertThat(ask().open()).containsExactly(planned.get(1));
  }

  @Test
  void aPairThatWasInterruptedDoesNotCountAndTheNextHasItsOwnCoin() {
    planned.addAll(ask().open());
    measure(planned.get(0).trial(), 100, true);
    List<PlannedTrial> next = ask(Optional.empty(), Duration.ZERO).open();
    assertThat(next)
        .hasSize(2)
        .allMatch(one -> one.trial().block() == 2)
        .allMatch(one -> one.trial().place().orElseThrow().session() == 2);
    assertThat(next.get(0).trial().number()).isEqualTo(3);
    assertThat(PairedStudy.of(experiment, measured).pairs()).isZero();
  }

  @Test
  void aPairWithAnInvalidWindowDoesNotCount() {
    planned.addAll(ask().open());
    measure(planned.get(0).trial(), 100, true);
    measure(planned.get(1).trial(), 100, false);
    assertThat(PairedStudy.of(experiment, measured).pairs()).isZero();
    measured.remove(1);
    measure(planned.get(1).trial(), 100, true);
    assertThat(PairedStudy.of(experiment, measured).pairs()).isEqualTo(1);
  }

  private void cut(Trial trial, Kind kind) {
    measured.removeIf(one -> one.trial().equals(trial));
    measured.add(
        new Measured(
            trial,
            true,
            Map.of("mean", 150.0, "throughput", 50.0),
            List.of(),
            10,
            false,
            Optional.of(new CutShort(kind, "too many requests failed for 10 s", 0.4))));
  }

  @ParameterizedTest
  @EnumSource(
      value = Kind.class,
      names = {"LIMIT", "STALL"})
  void aHardLimitOfOnePairConcludesNothingAndACandidateThatStallsLeaves(Kind kind) {
    planned.addAll(ask().open());
    for (PlannedTrial one : planned) {
      cut(one.trial(), kind);
    }
    PairedStudy study = PairedStudy.of(experiment, measured);
    String candidate =
        experiment.baseline().equals(planned.get(0).trial().profile())
            ? planned.get(1).trial().profile()
            : planned.get(0).trial().profile();
    // A silent log may be what stopped: that is no verdict about the candidate.
    assertThat(study.in()).hasSize(kind == Kind.LIMIT ? 2 : 1);
    assertThat(study.candidates())
        .filteredOn(one -> one.name().equals(candidate))
        .extracting(PairedStudy.Candidate::state)
        .containsExactly(kind == Kind.LIMIT ? PairedStudy.State.OPEN : PairedStudy.State.LEFT);
    assertThat(study.spent().cut()).isEqualTo(1);
    assertThat(study.spent().incumbentCut()).isEqualTo(1);
  }

  @Test
  void errorsOfBothSidesAreNoHarmHoweverOftenTheyCutWindows() {
    for (int pair = 0; pair < 40; pair++) {
      planned.addAll(ask().open());
      ask().open().forEach(one -> cut(one.trial(), Kind.LIMIT));
    }
    assertThat(PairedStudy.of(experiment, measured).candidates())
        .extracting(PairedStudy.Candidate::state)
        .doesNotContain(PairedStudy.State.HARMFUL);
  }

  private static Measured cutBeforeItBegan(Trial trial) {
    return new Measured(
        trial,
        false,
        Map.of(),
        List.of(),
        10,
        false,
        Optional.of(new CutShort(Kind.SLOWER, "slower", 0.4)));
  }

  @Test
  void aCandidateWhoseWindowsAloneAreCutShortLeaves() throws IOException {
    experiment = read("design: {kind: pairs, at-most: {pairs: 30}}");
    source = TrialSource.of(experiment);
    int pairs = 0;
    while (PairedStudy.of(experiment, measured).in().contains("light") && pairs < 30) {
      List<PlannedTrial> two = ask().open();
      planned.addAll(two);
      two.forEach(one -> measure(one.trial(), 100 + one.trial().number() % 7, true));
      two.stream()
          .filter(one -> one.trial().profile().equals("light"))
          .forEach(
              one -> {
                measured.removeIf(was -> was.trial().equals(one.trial()));
                measured.add(cutBeforeItBegan(one.trial()));
              });
      pairs++;
    }
    assertThat(PairedStudy.of(experiment, measured).text())
        .contains("light: 11 of its windows were cut short, and 0 of the settings found");
    // At 1 % divided by two candidates; of one, 10 would do.
    assertThat(of("light")).isEqualTo(11);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void theStudyEndsBeforeAWindowThatTheBudgetOfHarmMightNotAllow(boolean counts)
      throws IOException {
    experiment = read("design: {kind: pairs, window: 10s, harm: {requests: 2500}}");
    source = TrialSource.of(experiment);
    TrialSource.Answer answer = ask();
    while (!answer.open().isEmpty()) {
      planned.addAll(answer.open());
      for (PlannedTrial one : answer.open()) {
        boolean candidate = !one.trial().profile().equals("as-found");
        measured.add(
            candidate && !counts
                ? cutBeforeItBegan(one.trial())
                : new Measured(
                    one.trial(),
                    true,
                    Map.of(
                        "mean",
                        candidate ? 101.0 : 100 + Math.sin(one.trial().number()),
                        "throughput",
                        60.0),
                    List.of(),
                    10));
      }
      answer = ask();
    }
    assertThat(answer.reason()).startsWith("the budget of harm does not allow another window");
    assertThat(PairedStudy.of(experiment, measured).spent().requests()).isBetween(1L, 2_500L);
  }

  @Test
  void theSameHistoryGetsTheSameAnswer() {
    planned.addAll(ask().open());
    planned.forEach(one -> measure(one.trial(), 100, true));
    assertThat(ask()).isEqualTo(ask());
    assertThat(
            TrialSource.of(experiment)
                .next(
                    new TrialHistory(
                        planned,
                        measured,
                        Set.of(),
                        0,
                        Duration.ZERO,
                        Set.of(FIRST),
                        Optional.of(FIRST),
                        Map.of())))
        .isEqualTo(ask());
  }

  @Test
  void aStudyThatObservesGoesOnToItsLimitWhateverItSees() throws IOException {
    experiment = read("design: {kind: pairs, observe: true, at-most: {pairs: 12}}");
    source = TrialSource.of(experiment);
    TrialSource.Answer end = run(trial -> trial.profile().equals("as-found") ? 100 : 50);
    assertThat(planned).hasSize(24);
    assertThat(end.reason()).startsWith("12 pairs of a candidate are the limit: as-found-twice");
  }
}
