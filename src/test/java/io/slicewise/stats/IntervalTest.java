package io.slicewise.stats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.slicewise.stats.table.TukeyFences;
import org.junit.jupiter.api.Test;

/** Protects the intervals' formulas and what they say when there is nothing to say. */
class IntervalTest {
  @Test
  void studentIntervalOfTheWorkedExample() {
    Estimate estimate = StudentInterval.of(0.95, 10, 12, 14);

    assertThat(estimate.mean()).isEqualTo(12);
    assertThat(estimate.deviation()).isCloseTo(2, within(1e-12));
    assertThat(estimate.n()).isEqualTo(3);
    assertThat(estimate.halfWidth()).isCloseTo(4.968275, within(1e-6));
  }

  @Test
  void halfWidthsInUnitsOfTheDeviationAreTheSpecifiedOnes() {
    int[] sizes = {3, 4, 5, 6, 8, 10};
    double[] expected = {2.48, 1.59, 1.24, 1.05, 0.84, 0.72};
    for (int i = 0; i < sizes.length; i++) {
      double factor = StudentT.factor(0.95, sizes[i] - 1) / Math.sqrt(sizes[i]);
      assertThat(factor).isCloseTo(expected[i], within(0.0051));
    }
  }

  @Test
  void oneObservationHasAMeanButNoInterval() {
    for (IntervalMethod method : IntervalMethod.values()) {
      Estimate estimate = method.estimate(0.95, 7);
      assertThat(estimate.mean()).isCloseTo(7, within(1e-12));
      assertThat(estimate.halfWidth()).isNaN();
      assertThat(estimate.low()).isNaN();
    }
  }

  @Test
  void noObservationIsNotZero() {
    Estimate estimate = StudentInterval.of(0.95);
    assertThat(estimate.n()).isZero();
    assertThat(estimate.mean()).isNaN();
  }

  @Test
  void equalObservationsGiveAnIntervalOfNoWidth() {
    assertThat(StudentInterval.of(0.95, 5, 5, 5).halfWidth()).isZero();
  }

  @Test
  void publishedIntervalOfTheStudiesFirstCell() {
    assertThat(PublishedInterval.halfWidth(0.95, 28.83, 5)).isCloseTo(25.27, within(0.005));
  }

  @Test
  void logIntervalOfTheWorkedExample() {
    Estimate estimate = LogInterval.of(0.95, 10, 20, 40);
    assertThat(estimate.mean()).isCloseTo(20, within(1e-9));
    assertThat(estimate.low()).isCloseTo(3.574, within(0.001));
    assertThat(estimate.high()).isCloseTo(111.9, within(0.05));
  }

  @Test
  void refusesWhatIsNotANumber() {
    assertThatThrownBy(() -> StudentInterval.of(0.95, 1, Double.NaN))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("NaN");
    assertThatThrownBy(() -> LogInterval.of(0.95, 1, 0)).hasMessageContaining("positive");
    assertThatThrownBy(() -> StudentInterval.of(95, 1, 2)).hasMessageContaining("confidence");
  }

  @Test
  void tukeyNamesTheOneFarOut() {
    assertThat(TukeyFences.outside(10, 11, 12, 13, 30)).containsExactly(4);
    assertThat(TukeyFences.outside(10, 11, 30)).isEmpty();
    assertThat(TukeyFences.outside(5, 5, 5, 5, 5)).isEmpty();
  }
}
