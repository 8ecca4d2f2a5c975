package io.slicewise.evidence.findings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.slicewise.evidence.analysis.Goal;
import io.slicewise.evidence.analysis.Trials;
import io.slicewise.experiment.Experiment;
import io.slicewise.experiment.Trial;
import io.slicewise.experiment.load.Load;
import io.slicewise.run.result.TrialResult;
import io.slicewise.stats.Crossing;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Protects: a capacity comes from whole blocks whose times can be interpolated, or is not told. */
class CapacityTest {
  private final Experiment experiment = Trials.experiment(List.of(10, 20), 3, "base");

  /** The p95 of each block at 10 and at 20 users. */
  private Crossing crossing(double[]... blocks) {
    List<TrialResult> results = new ArrayList<>();
    for (int block = 1; block <= blocks.length; block++) {
      for (int i = 0; i < 2; i++) {
        Trial trial = new Trial(2 * block - 1 + i, block, "base", Load.of(10 + 10 * i), block);
        results.add(
            Trials.result(trial, List.of(), Trials.load(100, 1, blocks[block - 1][i], Double.NaN)));
      }
    }
    return Capacity.of(experiment, results, Goal.parse("p95<4"), "base").get(0).size();
  }

  @Test
  void blocksOfWholeCurvesTellTheUsers() {
    Crossing users = crossing(new double[] {2, 8}, new double[] {2, 8});
    assertThat(users.outcome()).isEqualTo(Crossing.Outcome.CROSSED);
    assertThat(users.estimate().mean()).isCloseTo(15, within(1e-9));
  }

  @Test
  void timesBelowTheClocksMillisecondAreNotInterpolated() {
    Crossing users = crossing(new double[] {0, 8}, new double[] {2, 8}, new double[] {2, 8});
    assertThat(users.curves()).isEqualTo(2);
    assertThat(users.estimate().mean()).isCloseTo(15, within(1e-9));
    assertThat(crossing(new double[] {0, 8}).outcome()).isEqualTo(Crossing.Outcome.UNKNOWN);
  }
}
