package io.slicewise.stats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.slicewise.stats.Crossing.Outcome;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Protects capacities: a crossing is only told where it was measured, and its interval covers. */
class CrossingTest {
  private static final double[] LOADS = {50, 150, 300};

  @Test
  void pooledCurveOfTheWorkedExample() {
    double[][] curve = {{Math.exp(3), Math.exp(5), Math.exp(4)}};
    Crossing crossing = Crossing.of(Math.exp(4), new double[] {100, 200, 300}, curve);
    assertThat(crossing.outcome()).isEqualTo(Outcome.CROSSED);
    assertThat(crossing.estimate().mean()).isCloseTo(166.6667, within(1e-4));
    assertThat(crossing.estimate().low()).isNaN();
  }

  @Test
  void levelOutsideWhatWasMeasuredHasNoCrossing() {
    double[][] curves = {{80, 120, 180}, {82, 118, 190}};
    assertThat(Crossing.of(200, LOADS, curves).outcome()).isEqualTo(Outcome.BELOW);
    assertThat(Crossing.of(70, LOADS, curves).outcome()).isEqualTo(Outcome.ABOVE);
    Crossing mixed = Crossing.of(185, LOADS, curves);
    assertThat(mixed.outcome()).isEqualTo(Outcome.MIXED);
    assertThat(mixed.estimate().mean()).isNaN();
    assertThat(mixed.crossed()).isEqualTo(1);
    assertThat(Crossing.of(185, LOADS, new double[0][]).outcome()).isEqualTo(Outcome.UNKNOWN);
    assertThat(Crossing.of(75, new double[] {50}, new double[][] {{70}}).outcome())
        .isEqualTo(Outcome.BELOW);
  }

  @Test
  void intervalCoversWhereTheCurveIsStraight() {
    Random random = new Random(7);
    int covered = 0;
    int rounds = 4_000;
    for (int round = 0; round < rounds; round++) {
      double[][] curves = new double[6][LOADS.length];
      for (double[] curve : curves) {
        double slow = 0.05 * random.nextGaussian();
        for (int i = 0; i < LOADS.length; i++) {
          curve[i] = Math.exp(4 + LOADS[i] / 100 + slow + 0.03 * random.nextGaussian());
        }
      }
      // 4 + 2: the true curve crosses at 200 users.
      Estimate users = Crossing.of(Math.exp(6), LOADS, curves).estimate();
      covered += users.low() <= 200 && 200 <= users.high() ? 1 : 0;
    }
    assertThat((double) covered / rounds).isCloseTo(0.95, within(0.012));
  }
}
