package io.slicewise.stats.power;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.slicewise.stats.Estimate;
import io.slicewise.stats.StudentInterval;
import java.util.Random;
import org.junit.jupiter.api.Test;

/**
 * Protects what {@code plan} promises of sessions: the power, and what trials need for the same.
 */
class SwitchedPowerTest {
  @Test
  void sessionsDetectWhatTheyPromiseFourTimesInFive() {
    SwitchedPower power = new SwitchedPower(3, 4, 0.07, 0.01, 1);
    double change = Math.log1p(power.smallestEffect());
    Random random = new Random(5);
    int found = 0;
    for (int round = 0; round < 4_000; round++) {
      double[] means = new double[3];
      for (int s = 0; s < 3; s++) {
        means[s] = change + 0.01 * random.nextGaussian() + 0.035 * random.nextGaussian();
      }
      Estimate estimate = StudentInterval.of(0.95, means);
      found += estimate.low() > 0 || estimate.high() < 0 ? 1 : 0;
    }
    assertThat(found / 4_000.0).isCloseTo(0.8, within(0.02));
  }

  @Test
  void oneSessionOfOneBlockDetectsNothing() {
    assertThat(new SwitchedPower(1, 1, 0.05, 0, 1).smallestEffect()).isNaN();
    assertThat(new SwitchedPower(1, 6, 0.05, 9, 1).smallestEffect())
        .isEqualTo(new SwitchedPower(1, 6, 0.05, 0, 1).smallestEffect());
  }

  @Test
  void trialsForTheSameAreTheFewestThatDetectIt() {
    int blocks = SwitchedPower.blocksOfTrials(0.05, 0.1, 3).orElseThrow();

    assertThat(new DesignPower(blocks, 0.1, 3).smallestEffect()).isLessThanOrEqualTo(0.05);
    assertThat(new DesignPower(blocks - 1, 0.1, 3).smallestEffect()).isGreaterThan(0.05);
    assertThat(SwitchedPower.blocksOfTrials(0.0001, 0.5, 3)).isEmpty();
  }
}
