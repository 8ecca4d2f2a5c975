package io.slicewise.evidence.answer;

import static org.assertj.core.api.Assertions.assertThat;

import io.slicewise.evidence.answer.Answer.Grade;
import io.slicewise.evidence.answer.Answer.Kind;
import io.slicewise.experiment.Experiment;
import io.slicewise.experiment.file.ExperimentFiles;
import io.slicewise.run.journal.PlannedTrial;
import io.slicewise.stats.Estimate;
import io.slicewise.sweep.source.TuneBench;
import io.slicewise.tune.course.Confirmation;
import io.slicewise.tune.course.RaceCourse;
import io.slicewise.tune.course.Rivals;
import io.slicewise.tune.course.Screening;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.ToDoubleFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Protects what a race claims at its end. */
class RaceClaimTest {
  @TempDir private Path directory;

  private RaceCourse race(String tune, int most, ToDoubleFunction<PlannedTrial> p95)
      throws IOException {
    return bench(tune, p95).run(most).race();
  }

  private TuneBench bench(String tune, ToDoubleFunction<PlannedTrial> p95) throws IOException {
    Experiment experiment =
        ExperimentFiles.read(
            Files.writeString(
                directory.resolve("tune.yaml"),
                """
                name: tuned
                host: {address: dom0}
                domains: {main: [web, db]}
                profiles: [as-found]
                workload: {name: web-app, target: http://web/}
                users: 10
                measure: 10s
                tune: {%s, search: {web: {weight: 64..4096}, db: {weight: 64..4096}}}
                """
                    .formatted(tune)));
    return new TuneBench(experiment, profiles -> Screening.Simulated.none("no model"), 1, p95);
  }

  private static Answer.Claim claim(RaceCourse race) {
    return new RaceClaim(race, true, Grade.CONFIRMED).claim();
  }

  @Test
  void confirmsWhatIsBetter() throws IOException {
    RaceCourse race =
        race(
            "goal: p95 < 120ms, budget: {windows: 400}",
            10_000,
            one -> TuneBench.truth(one.profile()));
    assertThat(claim(race).kind()).isEqualTo(Kind.USE);
    assertThat(claim(race).sentence()).startsWith("Use web ").doesNotEndWith("may be ");
  }

  @Test
  void whatWasMeasuredTooSeldomIsNotCalledAsGood() throws IOException {
    TuneBench bench =
        bench("goal: lowest p95, budget: {windows: 60}", one -> TuneBench.truth(one.profile()));
    String seldom = bench.candidate(12);
    RaceCourse race =
        bench
            .invalid(trial -> trial.profile().equals(seldom) && trial.block() > 1)
            .run(10_000)
            .race();
    assertThat(claim(race).kind()).isEqualTo(Kind.USE);
    assertThat(claim(race).sentence()).contains("confirmed in 6 blocks of its own");
    assertThat(Rivals.of(race, race.choice()).asGood()).doesNotContain(seldom, "as-found");
  }

  @Test
  void keepsTheSettingsFoundIfNothingIsBetter() throws IOException {
    RaceCourse race = race("goal: lowest p95, budget: {windows: 900}", 10_000, one -> 100);
    assertThat(claim(race).kind()).isEqualTo(Kind.KEEP);
    assertThat(claim(race).sentence()).startsWith("Keep what you have at 10 users");
  }

  /** Not shown to be better is not shown not to be better. */
  @Test
  void keepsNothingWhereAnythingIsPossible() throws IOException {
    for (int windows : List.of(40, 120)) {
      RaceCourse race =
          race(
              "goal: lowest p95, budget: {windows: %d}".formatted(windows),
              10_000,
              one -> 100 * Math.exp(new SplittableRandom(one.trial().number()).nextGaussian()));
      assertThat(claim(race).kind()).as(claim(race).sentence()).isEqualTo(Kind.OPEN);
      assertThat(claim(race).sentence()).startsWith("No answer yet at 10 users: the best may be");
      assertThat(new RaceClaim(race, true, Grade.CONFIRMED).decisive().orElseThrow())
          .matches("[0-9]+ blocks of .* and the settings found at 10 users would show a gain, .*");
    }
  }

  /** A choice that is only shown to be worse, or better by less than δ, is not worth a change. */
  @Test
  void keepsWhatIsShownNotToBeBeaten() {
    assertThat(confirmed(0.97, 1.60).isNotBetter(0.05, true)).isTrue();
    assertThat(confirmed(0.94, 1.60).isNotBetter(0.05, true)).isFalse();
    assertThat(confirmed(0.04, 1.04).isNotBetter(0.05, false)).isTrue();
    assertThat(confirmed(0.90, 1.06).isNotBetter(0.05, false)).isFalse();
  }

  private static Confirmation confirmed(double low, double high) {
    Estimate effect = new Estimate(0, 0.1, 6, low - 1, high - 1, 0.95);
    return new Confirmation("w512", 1, 1, effect, false, List.of(), List.of());
  }

  @Test
  void leavesTheQuestionOpenIfTheBudgetDoes() throws IOException {
    RaceCourse race = race("goal: lowest p95, budget: {windows: 40}", 8, one -> 100);
    assertThat(claim(race).kind()).isEqualTo(Kind.OPEN);
    assertThat(claim(race).sentence()).startsWith("No answer yet at 10 users");
  }
}
