package io.slicewise.stats.power;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Protects readers from numbers that only say that nothing was measured. */
class ResolutionTest {
  @Test
  void anIntervalOverTenTimesIsNoMeasurement() {
    assertThat(Resolution.isTooWide(-100, 13_630_462_264.5)).isTrue();
    assertThat(Resolution.isTooWide(-100, Double.POSITIVE_INFINITY)).isTrue();
    assertThat(Resolution.isTooWide(-46.3, 120)).isFalse();
    assertThat(Resolution.isTooWide(-46.3, 1200)).isTrue();
    assertThat(Resolution.isTooWide(470, 1640)).as("five to seventeen times as much").isFalse();
    assertThat(Resolution.isTooWide(Double.NaN, Double.NaN)).isFalse();
    assertThat(Resolution.isTooLarge(13_225.3)).isTrue();
    assertThat(Resolution.isTooLarge(Double.NaN)).isFalse();
    assertThat(Resolution.isTooLarge(99)).isFalse();
  }
}
