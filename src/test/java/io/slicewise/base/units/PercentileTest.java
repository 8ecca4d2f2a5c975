package io.slicewise.base.units;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Protects the one rule of how many samples a percentile needs. */
class PercentileTest {
  @Test
  void tenSamplesAreBeyondIt() {
    assertThat(new Percentile(50).samples()).isEqualTo(20);
    assertThat(new Percentile(5).samples()).isEqualTo(200);
    assertThat(new Percentile(92.5).samples()).isEqualTo(134);
    assertThat(new Percentile(99.9).samples()).isEqualTo(10_000);
    assertThat(new Percentile(99.95).samples()).isEqualTo(20_000);
    assertThat(new Percentile(99.99).samples()).isEqualTo(100_000);
  }

  @Test
  void metricsAreKnownByName() {
    assertThat(Percentile.of("p95"))
        .hasValueSatisfying(p -> assertThat(p.samples()).isEqualTo(200));
    assertThat(Percentile.of("p99")).hasValue(new Percentile(99));
    assertThat(Percentile.of("mean")).isEmpty();
    assertThat(Percentile.of("worst p95")).isEmpty();
  }
}
