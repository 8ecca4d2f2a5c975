package io.slicewise.sweep.source;

import static org.assertj.core.api.Assertions.assertThat;

import io.slicewise.experiment.Experiment;
import io.slicewise.experiment.ExperimentFiles;
import io.slicewise.experiment.Load;
import io.slicewise.experiment.SessionKey;
import io.slicewise.experiment.Trial;
import io.slicewise.profile.Credit;
import io.slicewise.profile.SchedulerParameters;
import io.slicewise.profile.SchedulerProfile;
import io.slicewise.run.Measured;
import io.slicewise.run.PlannedTrial;
import io.slicewise.run.Purpose;
import io.slicewise.tune.course.Candidate;
import io.slicewise.tune.course.CandidatePool;
import io.slicewise.tune.course.Confirmation;
import io.slicewise.tune.course.KnobSpace;
import io.slicewise.tune.course.Outcome;
import io.slicewise.tune.course.PoolMaker;
import io.slicewise.tune.course.RaceCourse;
import io.slicewise.tune.course.Screening;
import io.slicewise.tune.course.Situation;
import io.slicewise.tune.course.TuneCourse;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.ToDoubleFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The trials of a tune follow from its history alone, and lead to the best settings. */
class TuneSourceTest {
  private static final String SEARCH = "search: {web: {weight: 64..4096}, db: {weight: 64..4096}}";
  private static final Map<String, SchedulerParameters> FOUND =
      Map.of("web", Credit.of(256, 0), "db", Credit.of(256, 0), "Domain-0", Credit.of(256, 0));
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

  /** A host whose p95 is lowest near weights of 1024 and 512, 30 % below that of 256 and 256. */
  private static double truth(SchedulerProfile profile) {
    double web = Math.log(weight(profile, "web") / 1024.0) / Math.log(2);
    double db = Math.log(weight(profile, "db") / 512.0) / Math.log(2);
    return 100 * (1 + 0.06 * web * web + 0.06 * db * db);
  }

  private static double weight(SchedulerProfile profile, String domain) {
    return profile.byDomain().getOrDefault(domain, FOUND.get(domain)).get(Credit.WEIGHT);
  }

  /** A run in memory: asks the source as the runner does, and measures with some noise. */
  private static final class Bench {
    private final Experiment experiment;
    private final CandidatePool pool;
    private final TuneSource source;
    private final ToDoubleFunction<PlannedTrial> p95;
    private final Map<String, PlannedTrial> planned = new LinkedHashMap<>();
    private final List<Measured> measured = new ArrayList<>();
    private final Set<SessionKey> sessions = new HashSet<>();
    private Optional<SessionKey> running = Optional.empty();
    private String end = "";

    Bench(
        Experiment experiment,
        Screening screening,
        int nights,
        ToDoubleFunction<PlannedTrial> p95) {
      this.experiment = experiment;
      this.p95 = p95;
      this.pool =
          new PoolMaker(
                  experiment,
                  Optional.of(
                      new KnobSpace(
                          experiment.tuning().orElseThrow().search(),
                          FOUND,
                          Map.of("web", 1, "db", 1, "Domain-0", 4),
                          4)),
                  FOUND)
              .pool(screening, OptionalDouble.empty());
      this.source = source(nights);
    }

    TuneSource source(int nights) {
      return new TuneSource(
          experiment,
          new TuneSource.Candidates() {
            @Override
            public boolean needCalibration() {
              return true;
            }

            @Override
            public Optional<CandidatePool> pool() {
              return Optional.of(pool);
            }
          },
          nights);
    }

    TrialHistory history() {
      return new TrialHistory(
          List.copyOf(planned.values()),
          measured,
          Set.of(),
          0,
          Duration.ZERO,
          sessions,
          running,
          Map.of());
    }

    Bench run(int most) {
      return run(source, most);
    }

    Bench run(TuneSource asked, int most) {
      for (int i = 0; i < most; i++) {
        TrialSource.Answer answer = asked.next(history());
        answer.open().forEach(one -> planned.put(one.trial().slug(), one));
        if (answer.open().isEmpty()) {
          end = answer.reason();
          running = Optional.empty();
          return this;
        }
        PlannedTrial one = answer.open().get(0);
        if (!running.equals(one.trial().session())) {
          running = one.trial().session();
          running.ifPresent(sessions::add);
        }
        measured.add(result(one));
      }
      return this;
    }

    private Measured result(PlannedTrial one) {
      Trial trial = one.trial();
      double noise = 1 + 0.02 * new SplittableRandom(trial.number()).nextGaussian();
      double value = p95.applyAsDouble(one) * noise;
      return new Measured(
          trial, true, value / 2, value, value, value / 2, 1000 / value, 0, Map.of("db", 0.3), 60);
    }

    RaceCourse race() {
      return new TuneCourse(
              experiment,
              pool,
              new Situation(
                  Outcome.of(List.copyOf(planned.values()), measured),
                  history().nextNumber(),
                  history()::nextSession,
                  running,
                  1,
                  Map.of()))
          .races()
          .get(0);
    }

    List<String> path() {
      return planned.values().stream()
          .map(one -> one.purpose() + " " + one.trial().slug())
          .toList();
    }
  }

  private static Screening byTruth(Experiment experiment) {
    return profiles ->
        new Screening.Simulated(
            profiles.stream()
                .map(one -> experiment.loads().stream().map(load -> truth(one)).toList())
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
    Bench bench = new Bench(experiment, none(), 1, one -> truth(one.profile())).run(10_000);
    assertThat(bench.planned.values().iterator().next().purpose()).isEqualTo(Purpose.CALIBRATION);
    assertFound(bench);
    assertThat(bench.measured).hasSizeLessThan(240);
  }

  private static void assertFound(Bench bench) {
    RaceCourse race = bench.race();
    Confirmation confirmation = race.confirmation().orElseThrow();
    Candidate choice = bench.pool.named(confirmation.choice()).orElseThrow();
    assertThat(truth(choice.profile())).as("%s", choice.point()).isLessThan(1.06 * 100);
    assertThat(confirmation.confirmed()).isTrue();
    assertThat(confirmation.effect().high()).isLessThan(-0.15);
    assertThat(bench.end).isNotEmpty();
  }

  @Test
  void findsAndConfirmsAnOptimumInSessionsOfSeveralLoads() throws IOException {
    Experiment experiment =
        experiment(
            "design: {kind: switchback, blocks: 4, window: 10s, wash-out: 1s}",
            "[10, 20]",
            "goal: lowest p95, budget: {windows: 900}, " + SEARCH);
    Bench bench =
        new Bench(
                experiment,
                byTruth(experiment),
                1,
                one -> truth(one.profile()) * one.trial().users() / 10)
            .run(10_000);
    assertFound(bench);
    assertThat(bench.planned.values())
        .filteredOn(one -> one.purpose() == Purpose.CONFIRMATION)
        .extracting(one -> one.trial().session().orElseThrow().load())
        .contains(Load.of(10), Load.of(20));
    assertThat(bench.race().agreement().orElseThrow().spearman()).isGreaterThan(0.8);
    assertThat(bench.measured).hasSizeLessThan(950);
  }

  @Test
  void racesInSessionsUnlessTheFileSaysOtherwise() throws IOException {
    Experiment experiment =
        experiment("measure: 10s", "10", "goal: lowest p95, budget: {windows: 400}, " + SEARCH);
    Bench bench = new Bench(experiment, none(), 1, one -> truth(one.profile())).run(10_000);
    assertFound(bench);
    assertThat(bench.planned.values()).allMatch(one -> one.trial().session().isPresent());
    assertThat(bench.sessions).hasSizeGreaterThanOrEqualTo(4);
  }

  @Test
  void takesTheSamePathWhereverItIsResumed() throws IOException {
    Experiment experiment =
        experiment(TRIALS, "10", "goal: lowest p95, budget: {time: 2h}, " + SEARCH);
    List<String> whole =
        new Bench(experiment, none(), 1, one -> truth(one.profile())).run(10_000).path();
    for (int cut : new int[] {1, 2, 9, 30, 61, whole.size() - 3}) {
      Bench bench = new Bench(experiment, none(), 1, one -> truth(one.profile())).run(cut);
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
    Bench bench =
        new Bench(
                experiment,
                none(),
                1,
                one -> weight(one.profile(), "web") > 600 ? 150 : truth(one.profile()))
            .run(10_000);
    RaceCourse race = bench.race();
    assertThat(race.departures())
        .anySatisfy(left -> assertThat(left.reason()).isEqualTo("breaks the guard throughput -5%"));
    assertThat(race.choice())
        .isNotIn(race.departures().stream().map(RaceCourse.Left::name).toList());
  }

  @Test
  void widensWhenTheSimulationOrdersCandidatesWrongly() throws IOException {
    Experiment experiment =
        experiment(TRIALS, "10", "goal: lowest p95, budget: {time: 6h}, " + SEARCH);
    Screening wrong =
        profiles ->
            new Screening.Simulated(
                profiles.stream().map(one -> List.of(1e4 / truth(one))).toList(), "upside down");
    Bench bench = new Bench(experiment, wrong, 1, one -> truth(one.profile())).run(10_000);
    assertThat(bench.race().names()).hasSizeGreaterThan(15);
    assertThat(bench.race().agreement().orElseThrow().spearman()).isNegative();
  }

  @Test
  void keepsTheSettingsFoundWhereNothingIsBetter() throws IOException {
    Experiment experiment =
        experiment(TRIALS, "10", "goal: lowest p95, budget: {time: 2h}, " + SEARCH);
    Bench bench = new Bench(experiment, none(), 1, one -> 100).run(10_000);
    assertThat(bench.race().confirmation().filter(Confirmation::confirmed)).isEmpty();
  }

  @Test
  void addsToTheQuestionInASecondNight() throws IOException {
    Experiment experiment =
        experiment(
            TRIALS + "\nwarm-up: 30s\nmeasure: 30s",
            "10",
            "goal: lowest p95, within: 0.3%, budget: {time: 90m}, " + SEARCH);
    ToDoubleFunction<PlannedTrial> host = one -> 100 + truth(one.profile()) / 10;
    Bench bench = new Bench(experiment, none(), 1, host).run(10_000);
    int first = bench.measured.size();
    assertThat(bench.race().decided()).isFalse();
    assertThat(bench.run(bench.source(1), 10_000).measured).hasSize(first);
    bench.run(bench.source(2), 10_000);
    assertThat(bench.measured.size()).isGreaterThan(first + 30);
    assertThat(bench.path().subList(first, first + 1).get(0)).startsWith("RACE");
  }

  @Test
  void racesEachLoadForItself() throws IOException {
    Experiment experiment =
        experiment(
            TRIALS, "[10, 20]", "goal: lowest p95, budget: {time: 8h}, loads: each, " + SEARCH);
    Bench bench = new Bench(experiment, none(), 1, one -> truth(one.profile())).run(10_000);
    TuneCourse course =
        new TuneCourse(
            experiment,
            bench.pool,
            new Situation(
                Outcome.of(List.copyOf(bench.planned.values()), bench.measured),
                1,
                bench.history()::nextSession,
                Optional.empty(),
                1,
                Map.of()));
    assertThat(course.races()).hasSize(2);
    assertThat(course.races()).allMatch(race -> race.confirmation().isPresent());
  }

  @Test
  void reachesTheNumberOfUsersThatAGoalAsksFor() throws IOException {
    Experiment experiment =
        experiment(
            TRIALS, "[10, 20]", "goal: most users at p95 < 150ms, budget: {time: 8h}, " + SEARCH);
    Bench bench =
        new Bench(experiment, none(), 1, one -> truth(one.profile()) * one.trial().users() / 10)
            .run(10_000);
    Confirmation confirmation = bench.race().confirmation().orElseThrow();
    assertThat(confirmation.after()).isBetween(13.5, 16.0).isGreaterThan(confirmation.before());
  }
}
