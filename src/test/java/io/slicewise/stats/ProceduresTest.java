package io.slicewise.stats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.slicewise.stats.power.DesignPower;
import io.slicewise.stats.power.NoncentralT;
import io.slicewise.stats.power.NoncentralT.GaussLegendre;
import io.slicewise.stats.power.NoncentralT.ScatterRatio;
import io.slicewise.stats.power.SteinTwoStage;
import io.slicewise.stats.table.MedianPolish;
import io.slicewise.stats.table.OrderDrift;
import io.slicewise.stats.table.TwoWay;
import java.util.Arrays;
import java.util.List;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

/** Protects the worked examples of the procedures, and what they say of degenerate input. */
class ProceduresTest {
  private static final Offset<Double> PRINTED = within(5e-6);

  /** An effect over six blocks. */
  private static Effect effect(double logRatio, double standardError) {
    return new Effect(logRatio, standardError, 5, 6);
  }

  @Test
  void blockedEffectOfTheWorkedExample() {
    Effect effect = BlockedEffect.of(new double[] {110, 115, 99}, new double[] {100, 110, 90});
    assertThat(effect.logRatio()).isCloseTo(0.07836, within(1e-5));
    assertThat(effect.percent()).isCloseTo(8.2, within(0.05));
    assertThat(effect.lowPercent(0.95)).isCloseTo(0.5, within(0.05));
    assertThat(effect.highPercent(0.95)).isCloseTo(16.3, within(0.05));
  }

  @Test
  void distributionsOfTheWorkedExamples() {
    assertThat(NoncentralT.cumulative(2, 5, 1)).isCloseTo(0.7780746626162148, within(1e-9));
    assertThat(NoncentralT.power(0.05, 5, 3)).isCloseTo(0.6721758814743487, within(1e-9));
    assertThat(StudentT.quantile(0.975, 2)).isCloseTo(4.302652729749462, within(1e-9));
    assertThat(StudentT.cumulative(1, 2)).isCloseTo(0.7886751345948129, within(1e-9));
    assertThat(new ScatterRatio(5).average(u -> u)).isCloseTo(0.9515328619481445, within(1e-9));
    assertThat(GaussLegendre.integrate(Math::sin, 0, Math.PI, 1)).isCloseTo(2, within(1e-12));
    assertThat(new Band(0.02).low()).isCloseTo(-0.020203, PRINTED);
    assertThat(new Band(0.02).high()).isCloseTo(0.019803, PRINTED);
    assertThat(new DesignPower(6, 0.027, 5).smallestEffect()).isCloseTo(0.08386, PRINTED);
  }

  @Test
  void twoWayLayoutOfTheWorkedExample() {
    TwoWay layout = new TwoWay(new int[] {0, 0, 1, 1}, new int[] {0, 1, 0, 1});
    assertThat(layout.residuals(new double[] {1, 4, 2, 7}))
        .containsExactly(new double[] {0.5, -0.5, -0.5, 0.5}, within(1e-12));
    assertThat(layout.rank()).isEqualTo(3);
    assertThat(new TwoWay(new int[] {0, 1, 2, 3}, new int[] {0, 0, 2, 2}).rank()).isEqualTo(4);
  }

  @Test
  void repetitionsAndSequenceOfTheWorkedExamples() {
    assertThat(Repetitions.needed(0.05, 0.03, 0.95)).hasValue(14);
    Estimate ten = new ConfidenceSequence(25, 0.95).of(1, -1, 1, -1, 1, -1, 1, -1, 1, -1);
    assertThat(ten.halfWidth() / ten.deviation()).isCloseTo(1.40429, PRINTED);
    Estimate twelve =
        ConfidenceSequence.narrowestAt(12, 0.95).of(1, -1, 1, -1, 1, -1, 1, -1, 1, -1, 1, -1);
    double one = StudentT.factor(0.95, 11) / Math.sqrt(12);
    assertThat(twelve.halfWidth() / twelve.deviation() / one).isCloseTo(1.7, within(0.05));
  }

  @Test
  void effectOfTheWorkedExample() {
    Effect effect = new Effect(0.1, 0.03, 5, 6);
    assertThat(effect.percent()).isCloseTo(10.5, within(0.05));
    assertThat(effect.lowPercent(0.95)).isCloseTo(2.3, within(0.05));
    assertThat(effect.highPercent(0.95)).isCloseTo(19.4, within(0.05));
    assertThat(effect.pValue()).isCloseTo(0.0207, within(5e-5));
  }

  @Test
  void medianPolishOfTheWorkedExample() {
    MedianPolish polish = MedianPolish.of(new double[][] {{1, 2, 3}, {2, 3, 4}, {3, 4, 15}});
    assertThat(polish.residual(2, 2)).isEqualTo(10);
    assertThat(polish.residual(0, 0)).isZero();
    assertThat(polish.isFarOut(2, 2)).isTrue();
    assertThat(polish.isFarOut(1, 2)).isFalse();
  }

  @Test
  void effectWithoutScatterIsCertain() {
    Effect effect = BlockedEffect.of(new double[] {110, 110}, new double[] {100, 100});
    assertThat(effect.pValue()).isZero();
    assertThat(verdict(effect, 0, true)).isEqualTo(Verdict.BETTER);
    double third = 0.1 + 0.2;
    Effect rounding = BlockedEffect.of(new double[] {third, third}, new double[] {0.3, 0.3});
    assertThat(rounding.pValue()).isEqualTo(1);
    Effect none = BlockedEffect.of(new double[] {100, 100}, new double[] {100, 100});
    assertThat(none.pValue()).isEqualTo(1);
    assertThat(verdict(none, 1, true)).isEqualTo(Verdict.SAME);
  }

  @Test
  void blocksMustPairAndValuesBePositive() {
    assertThatThrownBy(() -> BlockedEffect.of(new double[] {1, 2}, new double[] {1}))
        .hasMessageContaining("both sides need one observation per block: 2 and 1");
    assertThatThrownBy(() -> BlockedEffect.of(new double[] {0}, new double[] {1}))
        .hasMessageContaining("positive");
  }

  @Test
  void welchOfTheWorkedExample() {
    double[] first = Arrays.stream(new double[] {1, 2, 3}).map(Math::exp).toArray();
    double[] second = Arrays.stream(new double[] {2, 4, 6}).map(Math::exp).toArray();
    Effect effect = WelchEffect.of(first, second);
    assertThat(effect.logRatio()).isCloseTo(-2, PRINTED);
    assertThat(effect.standardError()).isCloseTo(1.290994, PRINTED);
    assertThat(effect.degreesOfFreedom()).isCloseTo(2.941176, PRINTED);
    assertThat(WelchEffect.of(first, new double[] {1}).pValue()).isNaN();
  }

  @Test
  void ranksOfThreeASideAreNeverSignificant() {
    assertThat(MannWhitney.of(new double[] {1, 2, 3}, new double[] {4, 5, 6}).pValue())
        .isCloseTo(0.1, within(1e-12));
    assertThat(MannWhitney.of(new double[] {1, 1}, new double[] {1, 1}).pValue()).isEqualTo(1);
    assertThat(MannWhitney.of(new double[] {}, new double[] {1}).pValue()).isNaN();
    assertThat(MannWhitney.leastP(3, 3)).isCloseTo(0.1, within(1e-12));
    assertThat(MannWhitney.leastP(4, 4)).isCloseTo(2 / 70.0, within(1e-12));
    assertThat(MannWhitney.leastP(0, 4)).isNaN();
  }

  @Test
  void holmOfTheWorkedExampleAndWhatWasNotTested() {
    assertThat(Holm.adjust(0.01, 0.04, 0.03))
        .containsExactly(new double[] {0.03, 0.06, 0.06}, within(1e-12));
    assertThat(Holm.adjust(0.01, Double.NaN, 0.6))
        .containsExactly(new double[] {0.02, Double.NaN, 0.6}, within(1e-12));
    assertThat(Holm.adjust()).isEmpty();
  }

  @Test
  void theFourVerdicts() {
    assertThat(verdict(effect(0.05, 0.005), 0.001, true)).isEqualTo(Verdict.BETTER);
    assertThat(verdict(effect(0.05, 0.005), 0.001, false)).isEqualTo(Verdict.WORSE);
    assertThat(verdict(effect(-0.05, 0.005), 0.001, true)).isEqualTo(Verdict.WORSE);
    assertThat(verdict(effect(0, 0.005), 0.9, true)).isEqualTo(Verdict.SAME);
    assertThat(Verdict.of(effect(0, 0.005), 0.9, 0.054, Band.DEFAULT, true))
        .isEqualTo(Verdict.UNCLEAR);
    assertThat(verdict(effect(0.035, 0.01), 0.02, true)).isEqualTo(Verdict.UNCLEAR);
    assertThat(verdict(effect(0.05, 0.005), 0.06, true)).isEqualTo(Verdict.UNCLEAR);
    assertThat(verdict(effect(0.05, 0.005), Double.NaN, true)).isEqualTo(Verdict.BETTER);
    assertThat(verdict(new Effect(0.5, Double.NaN, 0, 1), Double.NaN, true))
        .isEqualTo(Verdict.UNCLEAR);
  }

  @Test
  void equivalenceOfTheWorkedExample() {
    double p = Equivalence.pValue(effect(0, 0.005), Band.DEFAULT);
    assertThat(p).isCloseTo(0.0054, within(0.0001));
  }

  @Test
  void moreBlocksWouldDecideIfNothingChanged() {
    Effect unclear = effect(0.035, 0.01);
    int more = Verdict.moreBlocks(unclear, Band.DEFAULT, 1).orElseThrow();
    int n = 6 + more;
    double deviation = 0.01 * Math.sqrt(6);
    double distance = 0.035 - Band.DEFAULT.high();
    assertThat(StudentT.factor(0.95, n - 1) * deviation / Math.sqrt(n))
        .isLessThanOrEqualTo(distance);
    assertThat(StudentT.factor(0.95, n - 2) * deviation / Math.sqrt(n - 1)).isGreaterThan(distance);
    assertThat(Verdict.moreBlocks(unclear, Band.DEFAULT, 9).orElseThrow()).isGreaterThan(more);
    int same = Verdict.moreBlocks(effect(0, 0.01), Band.DEFAULT, 1).orElseThrow();
    assertThat(Verdict.moreBlocks(effect(0, 0.01), Band.DEFAULT, 9).orElseThrow())
        .isGreaterThan(same);
    assertThat(Verdict.moreBlocks(effect(Band.DEFAULT.high(), 0.01), Band.DEFAULT, 1)).isEmpty();
    assertThat(Verdict.moreBlocks(new Effect(0.5, Double.NaN, 0, 1), Band.DEFAULT, 1)).isEmpty();
  }

  @Test
  void bestSetOfTheWorkedExample() {
    HsuBest best =
        HsuBest.independent(0.95, List.of(around(10), around(12), around(12.5)), new double[3]);
    assertThat(best.bestSet()).containsExactly(1, 2);
    assertThat(best.contenders().get(0).p()).isCloseTo(0.005504, PRINTED);
    assertThat(best.contenders().get(1).p()).isCloseTo(0.403352, PRINTED);
    assertThat(best.contenders().get(2).p()).isEqualTo(1);
  }

  /** Five observations of that mean with deviation 1. */
  private static double[] around(double mean) {
    double step = Math.sqrt(0.4);
    return new double[] {mean - 2 * step, mean - step, mean, mean + step, mean + 2 * step};
  }

  @Test
  void withoutRepetitionEverySettingMayBeTheBest() {
    HsuBest best =
        HsuBest.blocked(0.95, List.of(new double[] {1}, new double[] {9}), new double[2]);
    assertThat(best.bestSet()).containsExactly(0, 1);
    assertThat(best.known()).isFalse();
    HsuBest one = HsuBest.independent(0.95, List.of(new double[] {1, 2}), new double[1]);
    assertThat(one.bestSet()).containsExactly(0);
    assertThat(one.known()).isFalse();
  }

  @Test
  void aSettingMeasuredOnceStaysBesideOthersThatAreCompared() {
    HsuBest best =
        HsuBest.independent(0.95, List.of(around(10), new double[] {1}, around(20)), new double[3]);
    assertThat(best.bestSet()).containsExactly(1, 2);
    assertThat(best.known()).isTrue();
  }

  @Test
  void settingsThatAreAlikeToTheLastDigitAreAllTheBest() {
    double[] slow = {1, 1, 1};
    double[] fast = {2, 2, 2};
    assertThat(HsuBest.blocked(0.95, List.of(fast, slow, fast), new double[3]).bestSet())
        .containsExactly(0, 2);
    assertThat(HsuBest.independent(0.95, List.of(slow, slow), new double[2]).bestSet())
        .containsExactly(0, 1);
    HsuBest coarse = HsuBest.blocked(0.95, List.of(slow, fast), new double[] {1, 1});
    assertThat(coarse.bestSet()).containsExactly(0, 1);
  }

  @Test
  void fairnessOfTheWorkedExample() {
    assertThat(JainIndex.of(1, 2, 3)).isCloseTo(0.857143, PRINTED);
    assertThat(JainIndex.of(5, 5, 5)).isEqualTo(1);
    assertThat(JainIndex.of(0, 0, 7)).isCloseTo(1.0 / 3, within(1e-12));
    assertThat(JainIndex.of(0, 0)).isNaN();
    assertThatThrownBy(() -> JainIndex.of(-1)).hasMessageContaining("negative");
  }

  @Test
  void warmUpOfTheWorkedExample() {
    double[] series = new double[50];
    Arrays.fill(series, 10, 50, 10);
    assertThat(Mser5.of(series)).isEqualTo(new Mser5(Mser5.Outcome.STEADY, 10));
    assertThat(Mser5.of(1, 2, 3).outcome()).isEqualTo(Mser5.Outcome.TOO_SHORT);
    assertThat(Mser5.of(new double[60])).isEqualTo(new Mser5(Mser5.Outcome.STEADY, 0));
  }

  @Test
  void driftOfTheWorkedExample() {
    double[] x = Arrays.stream(new double[] {1, 2, 3, 5}).map(Math::exp).toArray();
    OrderDrift drift = OrderDrift.of(x, new int[4]);
    assertThat(drift.slope()).isCloseTo(1.3, PRINTED);
    assertThat(drift.lagOne()).isCloseTo(0.192857, PRINTED);
  }

  @Test
  void tooFewOrEqualTrialsShowNoDrift() {
    assertThat(OrderDrift.of(new double[] {}, new int[] {}).found(0.05)).isFalse();
    OrderDrift one = OrderDrift.of(new double[] {3}, new int[] {0});
    assertThat(one.slopeP()).isNaN();
    OrderDrift equal = OrderDrift.of(new double[] {7, 7, 7, 7}, new int[] {0, 1, 0, 1});
    assertThat(equal.lagOne()).isNaN();
    assertThat(equal.found(0.05)).isFalse();
  }

  @Test
  void twoStagesOfTheWorkedExample() {
    SteinTwoStage stein = SteinTwoStage.after(0.95, 98, 100, 102, 104, 96);
    assertThat(stein.total(2)).isEqualTo(20);
    assertThat(stein.total(100)).isEqualTo(5);
    assertThat(stein.interval(98, 100, 102, 104, 96).halfWidth()).isCloseTo(3.926, within(0.001));
    assertThatThrownBy(() -> SteinTwoStage.after(0.95, 1)).hasMessageContaining("two repetitions");
  }

  @Test
  void oneBlockCanShowNothing() {
    DesignPower one = new DesignPower(1, 0.03, 1);
    assertThat(one.canReachSignificance()).isFalse();
    assertThat(one.smallestEffect()).isNaN();
    assertThat(new DesignPower(6, 0.03, 1).restsOnNormality()).isFalse();
    assertThat(new DesignPower(6, 0.03, 5).restsOnNormality()).isTrue();
  }

  @Test
  void moreBlocksShowSmallerChanges() {
    double six = new DesignPower(6, 0.027, 5).smallestEffect();
    double twelve = new DesignPower(12, 0.027, 5).smallestEffect();
    assertThat(twelve).isLessThan(six);
    assertThat(new DesignPower(6, 0.027, 9).smallestEffect()).isGreaterThan(six);
  }

  @Test
  void sequenceSaysNothingUntilItCan() {
    ConfidenceSequence sequence = new ConfidenceSequence(25, 0.95);
    assertThat(sequence.of(100).halfWidth()).isNaN();
    assertThat(sequence.of(100, 101).halfWidth()).isNaN();
    assertThat(sequence.of(100, 101, 99, 100, 102, 98).halfWidth()).isPositive();
  }

  @Test
  void repetitionsThatCannotBeKnownAreNotGuessed() {
    assertThat(Repetitions.needed(Double.NaN, 0.03, 0.95)).isEmpty();
    assertThat(Repetitions.needed(0.05, 0, 0.95)).isEmpty();
    assertThat(Repetitions.needed(0, 0.03, 0.95)).hasValue(2);
  }

  private static Verdict verdict(Effect effect, double p, boolean moreIsBetter) {
    double same = Equivalence.pValue(effect, Band.DEFAULT);
    return Verdict.of(effect, p, same, Band.DEFAULT, moreIsBetter);
  }
}
