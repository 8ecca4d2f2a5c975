package io.slicewise.evidence.answer;

import static org.assertj.core.api.Assertions.assertThat;

import io.slicewise.evidence.answer.Answer.Grade;
import io.slicewise.evidence.answer.Answer.Kind;
import io.slicewise.experiment.Experiment;
import io.slicewise.experiment.Trial;
import io.slicewise.experiment.file.ExperimentFiles;
import io.slicewise.experiment.load.Load;
import io.slicewise.run.RecordedRun;
import io.slicewise.run.journal.PlannedTrial;
import io.slicewise.run.result.TrialResult;
import io.slicewise.run.validity.Judgement.Finding;
import io.slicewise.run.validity.Rule;
import io.slicewise.stats.Estimate;
import io.slicewise.stats.StudentInterval;
import io.slicewise.sweep.source.TuneBench;
import io.slicewise.tune.course.RaceCourse;
import io.slicewise.tune.course.Screening;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.function.ToDoubleFunction;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Simulates how often an answer is wrong: tunes of settings that cannot matter, and confirmations
 * on machines that other processes use. The rates are in {@code docs/methods.md}.
 */
@Tag("nightly")
class AnswerRatesTest {
  private static final int TUNES = 20;
  private static final int RUNS = 2_000;
  private static final int BLOCKS = 6;

  @TempDir private Path directory;

  /** Settings that cannot matter: 20 tunes of each goal. */
  @ParameterizedTest
  @CsvSource({"lowest p95, 0.02, 8", "lowest mean, 0.1, 0", "highest run share of db, 0, 20"})
  void keepsWhatCannotMatter(String goal, double scatter, int least) throws IOException {
    int kept = 0;
    int used = 0;
    for (int seed = 1; seed <= TUNES; seed++) {
      int drawn = seed;
      RaceCourse race =
          race(
              goal,
              one ->
                  100
                      * Math.exp(
                          scatter
                              * new SplittableRandom(1_000L * drawn + one.trial().number())
                                  .nextGaussian()));
      Kind kind = new RaceClaim(race, true, Grade.CONFIRMED).claim().kind();
      kept += kind == Kind.KEEP ? 1 : 0;
      used += kind == Kind.USE ? 1 : 0;
    }
    tell("%s: %d kept, %d used of %d".formatted(goal, kept, used, TUNES));
    assertThat(kept).as(goal).isGreaterThanOrEqualTo(least);
    assertThat(used).as(goal).isLessThanOrEqualTo(TUNES / 20);
  }

  private RaceCourse race(String goal, ToDoubleFunction<PlannedTrial> p95) throws IOException {
    Experiment experiment =
        ExperimentFiles.read(
            Files.writeString(
                directory.resolve("tune.yaml"),
                """
                name: same
                host: {address: dom0}
                domains: {main: [web, db]}
                profiles: [as-found]
                workload: {name: web-app, target: http://web/}
                users: 10
                measure: 10s
                tune: {goal: %s, budget: {windows: 120}, search: {web: {weight: 64..4096}, db: {weight: 64..4096}}}
                """
                    .formatted(goal)));
    return new TuneBench(experiment, profiles -> Screening.Simulated.none("no model"), 1, p95)
        .run(1_000)
        .race();
  }

  /**
   * Confirmations on a machine of two cores, while as many other processes as given are running or
   * waiting for that share of the time, in spells of about 20 s. Nothing is confirmed that is not
   * there; and nothing at all while the machine is busy all the time.
   */
  @ParameterizedTest
  @CsvSource({"2, 1.0", "4, 0.5", "4, 1.0", "8, 0.3", "8, 1.0", "20, 0.2", "20, 1.0"})
  void confirmsNothingFalseOnABusyMachine(int others, double share) {
    double none = confirmed(0, others, share);
    double real = confirmed(Math.log(0.75), others, share);
    tell("%d others, %.1f: none %.4f, -25 %% %.4f".formatted(others, share, none, real));
    assertThat(none).isLessThanOrEqualTo(0.05);
    assertThat(real).isLessThanOrEqualTo(share < 1 ? 1 : 0.05);
  }

  @Test
  void confirmsOnAQuietMachine() {
    double real = confirmed(Math.log(0.75), 0, 0);
    double none = confirmed(0, 0, 0);
    tell("quiet: none %.4f, -25 %% %.4f".formatted(none, real));
    assertThat(real).isGreaterThanOrEqualTo(0.95);
    assertThat(none).isLessThanOrEqualTo(0.05);
  }

  private static void tell(String rates) {
    System.getLogger("rates").log(System.Logger.Level.INFO, rates);
  }

  /** Returns the share of confirmations whose answer is to use the choice. */
  private static double confirmed(double effect, int others, double share) {
    Random random = new Random(7);
    int confirmed = 0;
    for (int run = 0; run < RUNS; run++) {
      List<TrialResult> windows = new ArrayList<>();
      double[] logs = new double[BLOCKS];
      boolean busy = random.nextDouble() < share;
      for (int block = 0; block < BLOCKS; block++) {
        for (int side = 0; side < 2; side++) {
          int of = 0;
          for (int second = 0; second < 10; second++) {
            if (random.nextDouble() < 1 / 20.0) {
              busy = random.nextDouble() < share;
            }
            of += busy ? 1 : 0;
          }
          double queue = (0.6 + 0.2 * random.nextGaussian() + others * of / 10.0) / 2;
          double log =
              (side == 1 ? effect : 0)
                  + 0.05 * random.nextGaussian()
                  + Math.max(0, queue - 1) * 0.3 * Math.abs(random.nextGaussian());
          logs[block] += side == 1 ? log : -log;
          windows.add(window(queue));
        }
      }
      Estimate change = StudentInterval.of(0.95, logs);
      boolean better = change.high() < 0;
      confirmed += better && !Doubts.of(windows, false).tooMany() ? 1 : 0;
    }
    return (double) confirmed / RUNS;
  }

  private static TrialResult window(double queue) {
    Trial trial = new Trial(1, 1, "w512", Load.of(10), 1);
    return RecordedRun.result(
        trial,
        queue > 1
            ? List.of(new Finding(Rule.GENERATOR, false, "a run queue of " + queue, ""))
            : List.of());
  }
}
