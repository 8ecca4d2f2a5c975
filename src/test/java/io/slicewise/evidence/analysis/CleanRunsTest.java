package io.slicewise.evidence.analysis;

import static org.assertj.core.api.Assertions.assertThat;

import io.slicewise.evidence.answer.Diagnostics;
import io.slicewise.evidence.findings.Recommendation;
import io.slicewise.experiment.Experiment;
import io.slicewise.run.result.TrialResult;
import io.slicewise.stats.Band;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Simulates how often the checks of a clean run raise an alarm. */
@Tag("nightly")
class CleanRunsTest {
  private static final int RUNS = 400;

  @Test
  void raiseAnAlarmInOneRunOfTwentyAtMost() {
    Experiment experiment =
        Sessions.withControl(Sessions.experiment(3, 6, "base", "heavy"), "again");
    int alarms = 0;
    int found = 0;
    for (int run = 1; run <= RUNS; run++) {
      Random random = new Random(run);
      List<TrialResult> results =
          Sessions.run(
              experiment,
              (session, block, profile, previous, later) ->
                  100
                      * (profile.equals("heavy") ? 1.2 : 1)
                      * Math.exp(0.05 * random.nextGaussian()));
      Diagnostics checks =
          Diagnostics.of(
              Recommendation.from(
                  experiment, results, new Question(Metric.THROUGHPUT, Band.DEFAULT)),
              true,
              20);
      alarms += checks.alarms().isEmpty() ? 0 : 1;
      found += checks.alarms().isEmpty() && checks.notes().isEmpty() ? 0 : 1;
    }
    System.getLogger("rates")
        .log(System.Logger.Level.INFO, "alarms %d, notes %d of %d".formatted(alarms, found, RUNS));
    assertThat(alarms).isLessThanOrEqualTo(RUNS / 20);
  }
}
