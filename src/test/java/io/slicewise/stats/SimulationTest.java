package io.slicewise.stats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.slicewise.stats.power.DesignPower;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Protects what the procedures promise in the long run: coverage, false alarms, power. Seeds are
 * fixed; the nightly tests repeat the same with more rounds and tighter bounds.
 */
class SimulationTest {
  private static final long SEED = 20260814;
  private static final int[] SIZES = {3, 4, 5, 6, 10, 30};

  private static Simulation rounds(int rounds) {
    return new Simulation(SEED, rounds);
  }

  private static double lognormalCoverage(int n, double sigma, int rounds) {
    return rounds(rounds).studentCoverage(n, z -> Math.exp(sigma * z), Math.exp(sigma * sigma / 2));
  }

  @Test
  void studentCoversNormalObservations() {
    for (int n : SIZES) {
      assertThat(rounds(40_000).studentCoverage(n, z -> z, 0)).isCloseTo(0.95, within(0.005));
    }
  }

  @Test
  void studentCoversLognormalObservationsOfModerateScatter() {
    for (int n : SIZES) {
      assertThat(lognormalCoverage(n, 0.1, 40_000)).isCloseTo(0.95, within(0.01));
      assertThat(lognormalCoverage(n, 0.25, 40_000)).isCloseTo(0.95, within(0.0125));
    }
  }

  @Test
  void studentUndercoversSkewedObservationsAndTheLogIntervalDoesNot() {
    for (int n : SIZES) {
      assertThat(lognormalCoverage(n, 1, 20_000)).isBetween(0.80, 0.90);
      assertThat(rounds(20_000).logCoverage(n, 1)).isCloseTo(0.95, within(0.01));
    }
  }

  @Test
  void publishedFormulaUndercoversFiveRuns() {
    assertThat(rounds(40_000).publishedCoverage(5)).isCloseTo(0.878, within(0.005));
  }

  @Test
  void settingThatIsTheBaselineIsSeldomCalledDifferent() {
    assertThat(rounds(2_000).falseVerdicts(3, 0.03)).isLessThan(0.05);
    assertThat(rounds(2_000).falseVerdicts(6, 0.05)).isLessThan(0.05);
  }

  @Test
  void holmKeepsTheErrorOfTheFamily() {
    assertThat(rounds(3_000).familyError(9, 6, true)).isLessThan(0.055);
    assertThat(rounds(3_000).familyError(9, 6, false)).isGreaterThan(0.15);
  }

  @Test
  void noneOfAFamilyIsFalselyCalledTheSame() {
    assertThat(rounds(2_000).falseSame(9, 5, true)).isLessThan(0.06);
    assertThat(rounds(2_000).falseSame(9, 5, false)).isGreaterThan(0.5);
  }

  @Test
  void sequenceCoversUnderContinuousLooking() {
    ConfidenceSequence sequence = ConfidenceSequence.narrowestAt(12, 0.95);
    assertThat(rounds(3_000).sequenceCoverage(100, sequence)).isGreaterThan(0.95);
  }

  @Test
  void stoppingAtTheFirstPreciseLookCostsStudentItsCoverage() {
    assertThat(rounds(20_000).coverageWhenStoppedAtFirstPreciseLook(0.05, 0.03, 3, 30))
        .isLessThan(0.94);
  }

  @Test
  void twoStagesHoldTheHalfWidthAskedFor() {
    assertThat(rounds(3_000).steinCoverage(5, 0.05, 0.03)).isGreaterThan(0.94);
  }

  @Test
  void designShowsWhatItPromisesFourTimesInFive() {
    assertThat(rounds(5_000).powerReached(new DesignPower(6, 0.027, 5)))
        .isCloseTo(0.8, within(0.02));
  }

  @Test
  void plantedTransientIsFound() {
    assertThat(rounds(500).transientFound(300, 40, 20, 100)).isGreaterThan(0.95);
    assertThat(rounds(500).transientFound(300, 300, 0, 300)).isLessThan(0.05);
  }

  @Test
  void driftIsFoundWhereItIsAndSeldomElsewhere() {
    assertThat(rounds(60).driftFound(4, 6, 0.04)).isGreaterThan(0.9);
    assertThat(rounds(200).driftFound(4, 6, 0)).isLessThan(0.1);
  }

  @Test
  @Tag("nightly")
  void studentCoversInEveryCase() {
    for (int n = 3; n <= 30; n++) {
      assertThat(rounds(400_000).studentCoverage(n, z -> z, 0)).isCloseTo(0.95, within(0.002));
      assertThat(lognormalCoverage(n, 0.25, 400_000)).isCloseTo(0.95, within(0.01));
      assertThat(rounds(400_000).logCoverage(n, 1)).isCloseTo(0.95, within(0.002));
    }
  }

  @Test
  @Tag("nightly")
  void falseAlarmsStayUnderTheirLevelInTheLongRun() {
    for (int blocks : new int[] {3, 5, 8, 12}) {
      assertThat(rounds(40_000).falseVerdicts(blocks, 0.05)).isLessThan(0.05);
      assertThat(rounds(40_000).familyError(9, blocks, true)).isLessThan(0.0525);
    }
    assertThat(rounds(3_000).driftFound(4, 6, 0)).isLessThan(0.06);
  }

  @Test
  @Tag("nightly")
  void sequenceCoversForever() {
    for (int tuned : new int[] {6, 12, 40}) {
      ConfidenceSequence sequence = ConfidenceSequence.narrowestAt(tuned, 0.95);
      assertThat(rounds(10_000).sequenceCoverage(500, sequence)).isGreaterThan(0.95);
    }
  }

  @Test
  void bestSetKeepsTheBestWhereItAloneScatters() {
    assertThat(rounds(2_000).bestKept(3, false, 0.3, 0.03, 0.03, 0.03)).isGreaterThan(0.935);
    assertThat(rounds(2_000).bestKept(3, true, 0.3, 0.03, 0.03, 0.03)).isGreaterThan(0.935);
  }

  @Test
  @Tag("nightly")
  void twoStagesKeepTheirCoverage() {
    assertThat(rounds(100_000).steinCoverage(5, 0.05, 0.03)).isGreaterThan(0.948);
  }
}
