package io.slicewise.sweep.source;

import static org.assertj.core.api.Assertions.assertThat;

import io.slicewise.experiment.Experiment;
import io.slicewise.experiment.Trial;
import io.slicewise.experiment.file.ExperimentFiles;
import io.slicewise.experiment.load.Load;
import io.slicewise.run.journal.PlannedTrial;
import io.slicewise.run.journal.PlannedTrial.Purpose;
import io.slicewise.tune.course.CandidatePool.Candidate;
import io.slicewise.tune.course.Confirmation;
import io.slicewise.tune.course.LimitCheck;
import io.slicewise.tune.course.RaceCourse;
import io.slicewise.tune.course.Screening;
import io.slicewise.tune.course.TuneCourse;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.ToDoubleFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The trials of a tune follow from its history alone, and lead to the best settings. */
class TuneSourceTest {
  private static final String SEARCH = "search: {web: {weight: 64..4096}, db: {weight: 64..4096}}";
  private static final String TRIALS = "design: {kind: trials}";
  @TempDir private Path directory;

  private Experiment experiment(String design, String users, String tune) throws IOException {
    return ExperimentFiles.read(
        Files.writeString(
            directory.resolve("tune.yaml"),
            """
            name: tuned
            host: {address: dom0}
            domains: {main: [web, db]}
            profiles: [as-found]
            workload: {name: web-app, target: http://web/}
            users: %s
            %s
            tune: {%s}
            """
                .formatted(users, design, tune)));
  }

  private static Screening byTruth(Experiment experiment) {
    return profiles ->
        new Screening.Simulated(
            profiles.stream()
                .map(one -> experiment.loads().stream().map(load -> TuneBench.truth(one)).toList())
                .toList(),
            "in a test");
  }

  private static Screening none() {
    return profiles -> Screening.Simulated.none("no model");
  }

  @Test
  void findsAndConfirmsAnOptimumInTrials() throws IOException {
    Experiment experiment =
        experiment(TRIALS, "10", "goal: lowest p95, budget: {time: 4h}, " + SEARCH);
    TuneBench bench =
        new TuneBench(experiment, none(), 1, one -> TuneBench.truth(one.profile())).run(10_000);
    assertThat(bench.planned().values().iterator().next().purpose()).isEqualTo(Purpose.CALIBRATION);
    assertFound(bench);
    assertThat(bench.measured()).hasSizeLessThan(240);
  }

  private static void assertFound(TuneBench bench) {
    RaceCourse race = bench.race();
    Confirmation confirmation = race.confirmation().orElseThrow();
    Candidate choice = bench.pool().named(confirmation.choice()).orElseThrow();
    assertThat(TuneBench.truth(choice.profile())).as("%s", choice.point()).isLessThan(1.06 * 100);
    assertThat(confirmation.confirmed()).isTrue();
    assertThat(confirmation.effect().high()).isLessThan(-0.15);
    assertThat(bench.end()).isNotEmpty();
  }

  @Test
  void findsAndConfirmsAnOptimumInSessionsOfSeveralLoads() throws IOException {
    Experiment experiment =
        experiment(
            "design: {kind: switchback, blocks: 4, window: 10s, wash-out: 1s}",
            "[10, 20]",
            "goal: lowest p95, budget: {windows: 900}, " + SEARCH);
    TuneBench bench =
        new TuneBench(
                experiment,
                byTruth(experiment),
                1,
                one -> TuneBench.truth(one.profile()) * one.trial().users() / 10)
            .run(10_000);
    assertFound(bench);
    assertThat(bench.planned().values())
        .filteredOn(one -> one.purpose() == Purpose.CONFIRMATION)
        .extracting(one -> one.trial().session().orElseThrow().load())
        .contains(Load.of(10), Load.of(20));
    assertThat(bench.race().agreement().orElseThrow().spearman()).isGreaterThan(0.8);
    assertThat(bench.measured()).hasSizeLessThan(950);
  }

  @Test
  void aTuneWithoutAnyResultEndsAndStaysReadable() throws IOException {
    Experiment experiment =
        experiment("measure: 10s", "10", "goal: lowest p95, budget: {windows: 400}, " + SEARCH);
    TuneBench bench =
        new TuneBench(experiment, none(), 1, one -> TuneBench.truth(one.profile()))
            .invalid(trial -> trial.session().isPresent())
            .run(10_000);
    assertThat(bench.end()).contains("is unknown: none of", "blocks has a valid result");
    assertThat(bench.race().decided()).isFalse();
    assertThat(bench.race().choice()).isEqualTo("as-found");
  }

  @Test
  void racesInSessionsUnlessTheFileSaysOtherwise() throws IOException {
    Experiment experiment =
        experiment("measure: 10s", "10", "goal: lowest p95, budget: {windows: 400}, " + SEARCH);
    TuneBench bench =
        new TuneBench(experiment, none(), 1, one -> TuneBench.truth(one.profile())).run(10_000);
    assertFound(bench);
    assertThat(bench.planned().values()).allMatch(one -> one.trial().session().isPresent());
    assertThat(bench.sessions()).hasSizeGreaterThanOrEqualTo(4);
  }

  @Test
  void takesTheSamePathWhereverItIsResumed() throws IOException {
    Experiment experiment =
        experiment(TRIALS, "10", "goal: lowest p95, budget: {time: 2h}, " + SEARCH);
    List<String> whole =
        new TuneBench(experiment, none(), 1, one -> TuneBench.truth(one.profile()))
            .run(10_000)
            .path();
    for (int cut : new int[] {1, 2, 9, 30, 61, whole.size() - 3}) {
      TuneBench bench =
          new TuneBench(experiment, none(), 1, one -> TuneBench.truth(one.profile())).run(cut);
      assertThat(bench.run(bench.source(1), 10_000).path()).isEqualTo(whole);
    }
  }

  @Test
  void letsACandidateLeaveThatBreaksAGuard() throws IOException {
    Experiment experiment =
        experiment(
            TRIALS,
            "10",
            "goal: lowest p95, guard: {throughput: -5%}, budget: {time: 4h}, " + SEARCH);
    TuneBench bench =
        new TuneBench(
                experiment,
                none(),
                1,
                one ->
                    TuneBench.weight(one.profile(), "web") > 600
                        ? 150
                        : TuneBench.truth(one.profile()))
            .run(10_000);
    RaceCourse race = bench.race();
    assertThat(race.departures())
        .anySatisfy(
            left ->
                assertThat(left.reason())
                    .isEqualTo("breaks the guard throughput not worse than -5%"));
    assertThat(race.choice())
        .isNotIn(race.departures().stream().map(RaceCourse.Left::name).toList());
  }

  @Test
  void confirmsTheNextBestWhenTheChoiceBreaksAGuardInItsConfirmation() throws IOException {
    Experiment experiment =
        experiment(
            TRIALS,
            "10",
            "goal: lowest p95, guard: {throughput: -5%}, budget: {time: 12h}, " + SEARCH);
    AtomicReference<String> first = new AtomicReference<>();
    TuneBench bench =
        new TuneBench(
                experiment,
                none(),
                1,
                one -> {
                  String name = one.profile().name();
                  boolean confirming = one.purpose() == Purpose.CONFIRMATION;
                  if (confirming && !name.equals("as-found")) {
                    first.compareAndSet(null, name);
                  }
                  return confirming && name.equals(first.get())
                      ? 300
                      : TuneBench.truth(one.profile());
                })
            .run(10_000);
    assertThat(bench.race().departures())
        .anySatisfy(
            left -> {
              assertThat(left.name()).isEqualTo(first.get());
              assertThat(left.reason())
                  .isEqualTo("breaks the guard throughput not worse than -5% in its confirmation");
            });
    Confirmation second = bench.race().confirmation().orElseThrow();
    assertThat(second.choice()).isNotEqualTo(first.get());
    assertThat(second.confirmed()).isTrue();
  }

  @Test
  void widensWhenTheSimulationOrdersCandidatesWrongly() throws IOException {
    Experiment experiment =
        experiment(TRIALS, "10", "goal: lowest p95, budget: {time: 6h}, " + SEARCH);
    Screening wrong =
        profiles ->
            new Screening.Simulated(
                profiles.stream().map(one -> List.of(1e4 / TuneBench.truth(one))).toList(),
                "upside down");
    TuneBench bench =
        new TuneBench(experiment, wrong, 1, one -> TuneBench.truth(one.profile())).run(10_000);
    assertThat(bench.race().names()).hasSizeGreaterThan(15);
    assertThat(bench.race().agreement().orElseThrow().spearman()).isNegative();
  }

  @Test
  void keepsTheSettingsFoundWhereNothingIsBetter() throws IOException {
    Experiment experiment =
        experiment(TRIALS, "10", "goal: lowest p95, budget: {time: 2h}, " + SEARCH);
    TuneBench bench = new TuneBench(experiment, none(), 1, one -> 100).run(10_000);
    assertThat(bench.race().confirmation().filter(Confirmation::confirmed)).isEmpty();
  }

  @Test
  void addsToTheQuestionInASecondNight() throws IOException {
    Experiment experiment =
        experiment(
            TRIALS + "\nwarm-up: 30s\nmeasure: 30s",
            "10",
            "goal: lowest p95, within: 0.3%, budget: {time: 90m}, " + SEARCH);
    ToDoubleFunction<PlannedTrial> host = one -> 100 + TuneBench.truth(one.profile()) / 10;
    TuneBench bench = new TuneBench(experiment, none(), 1, host).run(10_000);
    int first = bench.measured().size();
    assertThat(bench.race().decided()).isFalse();
    assertThat(bench.run(bench.source(1), 10_000).measured()).hasSize(first);
    bench.run(bench.source(2), 10_000);
    assertThat(bench.measured().size()).isGreaterThan(first + 30);
    assertThat(bench.path().subList(first, first + 1).get(0)).startsWith("RACE");
  }

  @Test
  void racesEachLoadForItself() throws IOException {
    Experiment experiment =
        experiment(
            TRIALS, "[10, 20]", "goal: lowest p95, budget: {time: 8h}, loads: each, " + SEARCH);
    TuneBench bench =
        new TuneBench(experiment, none(), 1, one -> TuneBench.truth(one.profile())).run(10_000);
    TuneCourse course = bench.course();
    assertThat(course.races()).hasSize(2);
    assertThat(course.races()).allMatch(race -> race.confirmation().isPresent());
  }

  @Test
  void reachesTheNumberOfUsersThatAGoalAsksFor() throws IOException {
    Experiment experiment =
        experiment(
            TRIALS, "[10, 20]", "goal: most users at p95 < 150ms, budget: {time: 8h}, " + SEARCH);
    TuneBench bench =
        new TuneBench(
                experiment,
                none(),
                1,
                one -> TuneBench.truth(one.profile()) * one.trial().users() / 10)
            .run(10_000);
    Confirmation confirmation = bench.race().confirmation().orElseThrow();
    assertThat(confirmation.after()).isBetween(13.5, 16.0).isGreaterThan(confirmation.before());
  }

  @Test
  void countsWholeSessionsInTheBudget() throws IOException {
    Experiment experiment =
        experiment(
            "measure: 55s\nwarm-up: 10s\ncool-down: 30s",
            "10",
            "goal: lowest p95, within: 0.3%, budget: {time: 10h}, " + SEARCH);
    TuneBench bench =
        new TuneBench(experiment, none(), 1, one -> 100 + TuneBench.truth(one.profile()) / 10)
            .besideWindows(900)
            .run(10_000);
    double spent =
        bench.sessionTimes().values().stream().mapToDouble(time -> time.toSeconds() + 30).sum();
    assertThat(spent).isBetween(8.5 * 3600, 10.0 * 3600);
    assertThat(bench.course().seconds()).isEqualTo(spent);
    assertThat(bench.race().confirmation()).isPresent();
  }

  @Test
  void repeatsAnInvalidWindowOfAConfirmationInItsSession() throws IOException {
    Experiment experiment =
        experiment("measure: 10s", "10", "goal: lowest p95, budget: {windows: 400}, " + SEARCH);
    TuneBench whole =
        new TuneBench(experiment, none(), 1, one -> TuneBench.truth(one.profile())).run(10_000);
    int voided =
        whole.planned().values().stream()
            .filter(one -> one.purpose() == Purpose.CONFIRMATION)
            .mapToInt(one -> one.trial().number())
            .max()
            .orElseThrow();
    TuneBench bench =
        new TuneBench(experiment, none(), 1, one -> TuneBench.truth(one.profile()))
            .invalid(trial -> trial.number() == voided)
            .run(10_000);
    List<Trial> confirming =
        bench.planned().values().stream()
            .filter(one -> one.purpose() == Purpose.CONFIRMATION)
            .map(PlannedTrial::trial)
            .toList();
    assertThat(confirming).hasSize(14);
    assertThat(confirming).extracting(Trial::session).containsOnly(confirming.get(0).session());
    assertThat(bench.race().confirmation().orElseThrow().effect().n()).isEqualTo(6);
    assertThat(bench.race().missing().values()).containsExactly(1);
  }

  @Test
  void checksTheLimitOfAGoal() throws IOException {
    assertThat(limit("p95 < 120ms").outcome()).isEqualTo(LimitCheck.Outcome.MET);
    assertThat(limit("p95 < 80ms").outcome()).isEqualTo(LimitCheck.Outcome.NOT_MET);
    assertThat(limit("throughput > 8/s").outcome()).isEqualTo(LimitCheck.Outcome.MET);
    assertThat(limit("throughput > 8/s").low()).isBetween(8.0, 10.5);
  }

  private LimitCheck limit(String goal) throws IOException {
    Experiment experiment =
        experiment("measure: 10s", "10", "goal: " + goal + ", budget: {windows: 300}, " + SEARCH);
    TuneBench bench =
        new TuneBench(experiment, none(), 1, one -> TuneBench.truth(one.profile())).run(10_000);
    LimitCheck check = bench.race().limits().get(0);
    assertThat(check.name()).isEqualTo(bench.race().confirmation().orElseThrow().choice());
    assertThat(check.level()).isBetween(check.low(), check.high());
    return check;
  }

  @Test
  void racesEqualWeightRatiosOnce() throws IOException {
    String all =
        "search: {web: {weight: [128, 256, 512]}, db: {weight: [128, 256, 512]},"
            + " dom0: {weight: [128, 256, 512]}}";
    Experiment experiment =
        experiment("measure: 10s", "10", "goal: lowest p95, budget: {windows: 300}, " + all);
    TuneBench bench = new TuneBench(experiment, none(), 1, one -> 100);
    // Of 27 points three are the settings found, and six half or twice another.
    assertThat(bench.pool().candidates()).hasSize(19);
    assertThat(bench.pool().leftOut())
        .containsExactly("9 points with the same weight ratios as another candidate");
  }
}
