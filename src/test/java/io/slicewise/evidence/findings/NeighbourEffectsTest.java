package io.slicewise.evidence.findings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.slicewise.evidence.analysis.Comparison;
import io.slicewise.evidence.analysis.Metric;
import io.slicewise.evidence.analysis.Trials;
import io.slicewise.experiment.Experiment;
import io.slicewise.experiment.Order;
import io.slicewise.experiment.Trial;
import io.slicewise.experiment.load.Load;
import io.slicewise.run.result.TrialResult;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * What neighbours cost is told against the fewest that the sweep has, at the same users, and from
 * the blocks alone in which both were measured.
 */
class NeighbourEffectsTest {
  private static final Experiment SWEPT =
      Trials.beside(Trials.experiment(List.of(4, 8), 3, "base"), List.of(1, 3));

  private final List<TrialResult> results = new ArrayList<>();

  private void trial(Load load, int block, double throughput, String... broken) {
    Trial trial = new Trial(results.size() + 1, block, "base", load, block);
    results.add(Trials.result(trial, List.of(broken), Trials.load(throughput, 1, 2, 3)));
  }

  /** At 4 users three neighbours leave four fifths of what one does, in every block. */
  private void measure() {
    double[] quiet = {100, 110, 60};
    for (int block = 1; block <= 3; block++) {
      trial(Load.beside(1, 4), block, quiet[block - 1]);
      trial(Load.beside(3, 4), block, 0.8 * quiet[block - 1]);
    }
  }

  @Test
  void driftOfTheBlocksIsNotInTheIntervalOfAChangeWithinThem() {
    measure();
    List<Comparison> effects = NeighbourEffects.of(SWEPT, results, Metric.THROUGHPUT);
    assertThat(effects).hasSize(1);
    Comparison effect = effects.get(0);
    assertThat(effect.load()).isEqualTo(Load.beside(3, 4));
    assertThat(effect.change().percent()).isCloseTo(-20, within(1e-9));
    assertThat(effect.change().high() - effect.change().low()).isCloseTo(0, within(1e-9));
    assertThat(effect.tests().adjustedP()).isNaN();

    Comparison across =
        NeighbourEffects.of(SWEPT.inOrder(Order.AS_WRITTEN), results, Metric.THROUGHPUT).get(0);
    assertThat(across.change().percent()).isCloseTo(-20, within(1e-9));
    assertThat(across.change().low()).isLessThan(-50);
    assertThat(across.change().high()).isPositive();
  }

  @Test
  void aBlockInWhichEitherIsInvalidDoesNotCount() {
    measure();
    trial(Load.beside(1, 4), 4, 100, "errors");
    trial(Load.beside(3, 4), 4, 1);
    Comparison effect = NeighbourEffects.of(SWEPT, results, Metric.THROUGHPUT).get(0);
    assertThat(effect.means().effect().n()).isEqualTo(3);
    assertThat(effect.change().percent()).isCloseTo(-20, within(1e-9));
  }

  @Test
  void saysNothingWhereNeighboursAreNotSweptOrNothingWasMeasuredBesideTheFewest() {
    trial(Load.beside(3, 8), 1, 50);
    assertThat(NeighbourEffects.of(SWEPT, results, Metric.THROUGHPUT)).isEmpty();
    Experiment plain = Trials.experiment(List.of(4), 3, "base");
    assertThat(
            NeighbourEffects.of(
                plain, List.of(Trials.trial(1, "base", 4, 1, 100)), Metric.THROUGHPUT))
        .isEmpty();
  }
}
