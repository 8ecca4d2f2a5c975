package io.slicewise.experiment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.slicewise.base.units.SlicewiseException;
import io.slicewise.experiment.file.ExperimentFiles;
import io.slicewise.experiment.load.Load;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The design of pairs in an experiment file, and what its coins draw. */
class PairsFilesTest {
  private static final String HEAD =
      """
      name: night
      host: {address: dom0.example}
      domains: {main: [web, db]}
      profiles:
        - as-found
        - {name: heavy, scheduler: credit, main: {weight: 512}}
        - {name: light, scheduler: credit, main: {weight: 128}}
      workload: {name: web-app, target: "http://web.example/"}
      """;
  private static final String ONE = HEAD + "users: 25\ngoal: lowest mean\n";
  private static final SessionKey SESSION = new SessionKey(Load.of(25), 1);

  @TempDir private Path directory;

  private Experiment read(String text) throws IOException {
    return ExperimentFiles.read(Files.writeString(directory.resolve("night.yaml"), text));
  }

  /** Two sites, or two runs, have the same coins only if both write the same seed. */
  @Test
  void coinsAreDrawnForEachRunUnlessASeedIsWritten() throws IOException {
    Experiment file = read(ONE + "design: {kind: pairs}\n");
    assertThat(ExperimentFiles.toYaml(file)).doesNotContain("seed:");
    Experiment run = file.drawn();
    assertThat(run.seed()).isNotNegative().isNotEqualTo(file.drawn().seed());
    Experiment resumed = read(ExperimentFiles.toYaml(run));
    assertThat(resumed.drawn().seed()).isEqualTo(run.seed());
    assertThat(new PairPlan(resumed).all()).isEqualTo(new PairPlan(run).all());
    assertThat(read(ONE + "design: {kind: pairs}\nseed: 5\n").drawn().seed()).isEqualTo(5);
    assertThat(read(ONE).drawn().seed()).isEqualTo(Defaults.SEED);
  }

  @Test
  void readsTheDesignAndWritesItOutAgain() throws IOException {
    Experiment experiment =
        read(
            ONE
                + "design: {kind: pairs, window: 5s, wash-out: 1s, at-most: {pairs: 60, time: 2h, nights: 3},"
                + " harm: {requests: 5000, time: 10m}}\n");
    assertThat(experiment.pairs())
        .contains(
            new PairsDesign(
                120,
                Duration.ofSeconds(5),
                Optional.of(Duration.ofSeconds(1)),
                new PairsDesign.Bounds(60, Duration.ofHours(2), Optional.of(3)),
                false,
                new PairsDesign.Harm(Optional.of(5_000L), Optional.of(Duration.ofMinutes(10))),
                StudyHours.ALWAYS));
    assertThat(read(ExperimentFiles.toYaml(experiment))).isEqualTo(experiment);
  }

  @Test
  void readsTheHoursAndWritesThemOutAgain() throws IOException {
    Experiment experiment =
        read(
            ONE
                + "design: {kind: pairs, hours: [\"22:00-06:00\"], not-during: [\"2:00-03:30\"]}\n");
    StudyHours hours = experiment.pairs().orElseThrow().hours();
    assertThat(hours.only()).hasToString("[22:00-06:00]");
    assertThat(hours.except()).hasToString("[02:00-03:30]");
    assertThat(read(ExperimentFiles.toYaml(experiment))).isEqualTo(experiment);
  }

  private static final String LIVE =
      HEAD.replaceFirst("workload: .*", "")
          .replace("address: dom0.example", "address: dom0.example, dead-man: 1m");

  @Test
  void boundsTheHarmOfCandidatesThatNoGuardCanEnd() throws IOException {
    String counters =
        LIVE
            + "workload: {name: prometheus, server: {url: \"http://metrics:9090\"},"
            + " measures: {mean: {growth: a_sum, per: a_count}}}\ngoal: lowest outcome mean\n";
    assertThatThrownBy(() -> read(counters + "design: {kind: pairs}\n"))
        .hasMessageContaining("no guard can end it")
        .hasMessageContaining("'harm: {time: 10m}'");
    assertThatThrownBy(() -> read(counters + "design: {kind: pairs, harm: {requests: 9}}\n"))
        .hasMessageContaining("counts no requests");
    assertThat(read(counters + "design: {kind: pairs, observe: true}\n").pairs()).isPresent();
    Experiment bounded = read(counters + "design: {kind: pairs, harm: {time: 5m}}\n");
    assertThat(bounded.workload().outcomes()).containsExactly("mean");
    assertThat(read(ExperimentFiles.toYaml(bounded))).isEqualTo(bounded);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "sum(a) or vector(0) | makes a number where there is no data",
        "rate(a_total[1m]) | must be the name of a counter with its labels",
        "a_total{job=x} | must be the name of a counter with its labels",
        "a_total[1m] | must be the name of a counter with its labels"
      })
  void refusesQueriesThatGuess(String query, String sentence) {
    assertThatThrownBy(
            () ->
                read(
                    LIVE
                        + "workload: {name: prometheus, server: {url: \"http://metrics:9090\"},"
                        + " measures: {mean: {growth: '%s'}}}\n".formatted(query)
                        + "goal: lowest outcome mean\ndesign: {kind: pairs, observe: true}\n"))
        .hasMessageContaining(sentence);
  }

  @Test
  void refusesHoursThatAreNoneOrLeaveNoTime() {
    assertThatThrownBy(() -> read(ONE + "design: {kind: pairs, hours: [nightly]}\n"))
        .hasMessageContaining("'nightly' is not a part of the day such as 22:00-06:00");
    assertThatThrownBy(
            () ->
                read(
                    ONE
                        + "design: {kind: pairs, hours: [\"01:00-02:00\"], not-during: [\"00:00-03:00\"]}\n"))
        .hasMessageContaining("no part of the day is left that is as long as a pair");
    assertThatThrownBy(
            () ->
                read(
                    ONE
                        + "design: {kind: pairs, window: 10m, wash-out: 5m, hours: [\"01:00-01:25\"]}\n"))
        .hasMessageContaining("as long as a pair, which takes up to 34m");
    assertThatThrownBy(() -> read(ONE + "design: {kind: switchback, hours: [\"01:00-02:00\"]}\n"))
        .hasMessageContaining("hours of design needs 'kind: pairs'");
  }

  @Test
  void aStudyThatObservesMeasuresTheBaselineTwice() throws IOException {
    Experiment experiment = read(ONE + "design: {kind: pairs, observe: true}\n");
    assertThat(PairPlan.candidates(experiment)).containsExactly("as-found-twice");
    assertThat(experiment.measure()).isEqualTo(PairsDesign.WINDOW);
    assertThat(Plan.of(experiment)).hasSize(2 * PairsDesign.PAIRS);
    assertThat(Plan.of(experiment))
        .extracting(Trial::profile)
        .containsOnly("as-found", "as-found-twice");
    assertThat(read(ExperimentFiles.toYaml(experiment))).isEqualTo(experiment);
  }

  @Test
  void coinsAreFairAndIndependentFromPairToPair() {
    int heads = 0;
    int changes = 0;
    for (int pair = 1; pair <= 10_000; pair++) {
      heads += PairsDesign.candidateFirst(7, pair) ? 1 : 0;
      changes +=
          PairsDesign.candidateFirst(7, pair) != PairsDesign.candidateFirst(7, pair + 1) ? 1 : 0;
    }
    assertThat(heads).isBetween(4_850, 5_150);
    assertThat(changes).isBetween(4_850, 5_150);
    int first = 0;
    for (int seed = 0; seed < 10_000; seed++) {
      first += PairsDesign.candidateFirst(seed, 1) ? 1 : 0;
    }
    assertThat(first).isBetween(4_850, 5_150);
  }

  @Test
  void candidatesTakeTurnsInRoundsAndEveryPairHasTheBaseline() throws IOException {
    Experiment experiment = read(ONE + "design: {kind: pairs, at-most: {pairs: 50}}\n");
    List<Trial> plan = Plan.of(experiment);
    assertThat(plan).hasSize(200);
    Set<String> firsts = new TreeSet<>();
    for (int pair = 0; pair < 100; pair++) {
      List<Trial> two = plan.subList(2 * pair, 2 * pair + 2);
      assertThat(two).extracting(Trial::block).containsOnly(pair + 1);
      assertThat(two).filteredOn(trial -> trial.profile().equals("as-found")).hasSize(1);
      firsts.add(two.get(0).profile());
      if (pair % 2 == 1) {
        assertThat(plan.subList(2 * pair - 2, 2 * pair + 2))
            .extracting(Trial::profile)
            .contains("heavy", "light");
      }
      Duration length = experiment.measure(two.get(0));
      assertThat(length).isEqualTo(experiment.measure(two.get(1)));
      assertThat(length).isBetween(Duration.ofSeconds(8), Duration.ofSeconds(12));
    }
    assertThat(firsts).containsExactly("as-found", "heavy", "light");
  }

  @Test
  void aPairThatWasWithdrawnKeepsItsCoin() throws IOException {
    Experiment experiment = read(ONE + "design: {kind: pairs}\n");
    PairPlan plan = new PairPlan(experiment);
    List<String> in = List.of("heavy", "light");
    List<Trial> first = plan.next(List.of(), in, 1, SESSION);
    List<Trial> again = plan.next(new ArrayList<>(), in, 3, new SessionKey(Load.of(25), 2));
    assertThat(again)
        .extracting(Trial::profile)
        .isEqualTo(first.stream().map(Trial::profile).toList());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{kind: pairs}|repetitions: 3|repetitions has no meaning in a design of pairs",
        "{kind: pairs}|order: as-written|a coin decides the order of pairs",
        "{kind: pairs}|controls: [as-found-twice]|measures the baseline twice with 'observe: true'",
        "{kind: pairs, sessions: 2}||sessions of design needs 'kind: switchback'",
        "{kind: trials, observe: true}||observe of design needs 'kind: pairs'",
        "{kind: switchback, at-most: {pairs: 3}}||at-most of design needs 'kind: pairs'",
        "{kind: pairs, at-most: {pairs: 0}}||is out of range",
        "{kind: pairs, harm: {time: 5s}}||a budget of harm of 5s is shorter than one window, which lasts up to 12s",
        "{kind: crossover}||is not one of trials, switchback, pairs",
      })
  void refusesInOneSentence(String design, String more, String why) {
    assertThatThrownBy(
            () -> read(ONE + "design: " + design + "\n" + (more == null ? "" : more + "\n")))
        .isInstanceOf(SlicewiseException.class)
        .hasMessageContaining(why);
  }

  @Test
  void refusesWhatCannotBeDecided() {
    assertThatThrownBy(() -> read(HEAD + "users: 25\ndesign: {kind: pairs}\n"))
        .hasMessageContaining("pairs need a metric that decides, fixed beforehand");
    assertThatThrownBy(
            () -> read(HEAD + "users: [25, 50]\ngoal: lowest mean\ndesign: {kind: pairs}\n"))
        .hasMessageContaining("pairs have one load, and the file has 2");
    String alone = ONE.replaceAll("  - \\{name.*\\n", "");
    assertThatThrownBy(() -> read(alone + "design: {kind: pairs}\n"))
        .hasMessageContaining("there is only one profile");
    StringBuilder many = new StringBuilder();
    for (int i = 1; i <= 9; i++) {
      many.append("  - {name: w%d, scheduler: credit, main: {weight: %d}}\n".formatted(i, 100 + i));
    }
    String nine = ONE.replaceFirst("  - \\{name: heavy.*\\n  - .*\\n", many.toString());
    assertThatThrownBy(() -> read(nine + "design: {kind: pairs}\n"))
        .hasMessageContaining("9 candidates are too many for one study of pairs");
  }
}
