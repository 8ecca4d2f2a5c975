package io.slicewise.stats.capacity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

/** The fit has the coefficients that R's package usl prints for the tables it comes with. */
class ScalabilityLawTest {
  private static final double[] RAYTRACER_N = {1, 4, 8, 12, 16, 20, 24, 28, 32, 48, 64};
  private static final double[] RAYTRACER_X = {20, 78, 130, 170, 190, 200, 210, 230, 260, 280, 310};
  private static final double[] SDM91_N = {1, 18, 36, 72, 108, 144, 216};
  private static final double[] SDM91_X = {64.9, 995.9, 1652.4, 1853.2, 1828.9, 1775.0, 1702.2};

  @Test
  void isThatOfSpecSdm91() {
    ScalabilityLaw law = ScalabilityLaw.fit(SDM91_N, SDM91_X);
    assertThat(law.alpha()).isCloseTo(0.0277285, within(1e-6));
    assertThat(law.beta()).isCloseTo(0.0001044, within(1e-6));
    assertThat(law.gamma()).isCloseTo(89.9952330, within(1e-6 * 89.995));
    assertThat(law.peak()).isCloseTo(96.5, within(0.1));
  }

  @Test
  void hasNoNegativeCoherencyForTheRaytracer() {
    ScalabilityLaw law = ScalabilityLaw.fit(RAYTRACER_N, RAYTRACER_X);
    assertThat(law.alpha()).isCloseTo(0.057771, within(1e-6));
    assertThat(law.beta()).isZero();
    assertThat(law.gamma()).isCloseTo(21.848843, within(1e-6));
    assertThat(law.peak()).isInfinite();
  }

  @Test
  void recoversTheLawThatMadeATable() {
    double[] sizes = {1, 2, 4, 6, 8, 10};
    double[] rates = {1, 1.8868, 3.0769, 3.5294, 3.5398, 3.3557};
    ScalabilityLaw law = ScalabilityLaw.fit(sizes, rates);
    assertThat(law.alpha()).isCloseTo(0.02, within(1e-4));
    assertThat(law.beta()).isCloseTo(0.02, within(1e-5));
    assertThat(law.gamma()).isCloseTo(1, within(1e-4));
    assertThat(law.peak()).isCloseTo(7, within(0.01));
  }

  @Test
  void aRateThatGrowsFasterThanItsSizeHasNeither() {
    ScalabilityLaw law = ScalabilityLaw.fit(new double[] {1, 2, 3}, new double[] {1, 2.2, 3.6});
    assertThat(law.alpha()).isZero();
    assertThat(law.beta()).isZero();
    assertThat(law.rate(2)).isCloseTo(2 * (1 + 4.4 + 10.8) / 14, within(1e-9));
  }

  @Test
  void needsThreeObservations() {
    assertThatThrownBy(() -> ScalabilityLaw.fit(new double[] {1, 2}, new double[] {1, 2}))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("three observations, not 2");
  }
}
