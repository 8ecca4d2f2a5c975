package io.slicewise.stats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.slicewise.stats.CarryOver.LeastSquares;
import io.slicewise.stats.SessionEffect.Basis;
import io.slicewise.stats.table.NeighbourBlocks;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

/**
 * Protects the procedures for settings switched within sessions against values computed elsewhere:
 * by hand, or by normal equations with explicit indicators in another language.
 */
class SwitchedEffectsTest {
  private static final Offset<Double> EXACT = within(1e-9);
  private static final Offset<Double> TABLE = within(2e-6);

  @Test
  void threeSessionsGiveStudentOverTheirMeans() {
    SessionEffect three =
        SessionEffect.of(
            List.of(
                new double[] {0.10, 0.14}, new double[] {0.20, 0.24}, new double[] {0.30, 0.34}));

    assertThat(three.basis()).isEqualTo(Basis.SESSIONS);
    assertThat(three.effect().logRatio()).isCloseTo(0.22, EXACT);
    assertThat(three.effect().standardError()).isCloseTo(0.1 / Math.sqrt(3), EXACT);
    assertThat(three.effect().degreesOfFreedom()).isEqualTo(2);
    assertThat(three.effect().n()).isEqualTo(3);
    assertThat(three.within()).isCloseTo(Math.sqrt(0.0008), EXACT);
    assertThat(three.between()).isCloseTo(Math.sqrt(0.0096), EXACT);
    assertThat(three.effect().halfWidth(0.95)).isCloseTo(4.302653 * 0.1 / Math.sqrt(3), TABLE);
  }

  @Test
  void sessionsOfUnequalLengthAreWeighted() {
    SessionEffect unequal =
        SessionEffect.of(
            List.of(
                new double[] {0.10, 0.14, 0.09, 0.12},
                new double[] {0.20, 0.24},
                new double[0],
                new double[] {0.05, 0.02, 0.08}));

    assertThat(unequal.basis()).isEqualTo(Basis.SESSIONS);
    assertThat(unequal.blocks()).containsExactly(4, 2, 3);
    assertThat(unequal.effect().logRatio()).isCloseTo(0.12688013737089063, EXACT);
    assertThat(unequal.effect().standardError()).isCloseTo(0.04945393680117186, EXACT);
    assertThat(unequal.within()).isCloseTo(0.02606082628518648, EXACT);
    assertThat(unequal.between()).isCloseTo(0.07601872239025169, EXACT);
  }

  @Test
  void sessionsThatAgreeByLuckAreNoMorePreciseThanTheirBlocks() {
    SessionEffect lucky =
        SessionEffect.of(
            List.of(
                new double[] {.10, .20, .15},
                new double[] {.149, .161, .14},
                new double[] {.05, .25, .151}));

    assertThat(lucky.basis()).isEqualTo(Basis.MIXED);
    assertThat(lucky.effect().logRatio()).isCloseTo(0.1501111111111111, EXACT);
    assertThat(lucky.effect().standardError()).isCloseTo(0.01871678127335381, EXACT);
    assertThat(lucky.effect().degreesOfFreedom()).isEqualTo(8);
    assertThat(lucky.between()).isZero();
  }

  @Test
  void fewerThanThreeSessionsGiveAnIntervalOverTheirBlocks() {
    SessionEffect one = SessionEffect.of(List.of(new double[] {0.10, 0.14}));
    SessionEffect two = SessionEffect.of(List.of(new double[] {0.10, 0.14}, new double[] {0.2}));

    assertThat(one.basis()).isEqualTo(Basis.BLOCKS);
    assertThat(one.effect().standardError()).isCloseTo(0.02, EXACT);
    assertThat(one.effect().degreesOfFreedom()).isEqualTo(1);
    assertThat(two.effect().logRatio()).isCloseTo(0.16, EXACT);
    assertThat(two.effect().standardError()).isCloseTo(Math.sqrt(0.0008 * (0.5 + 1)) / 2, EXACT);
    assertThat(two.effect().degreesOfFreedom()).isEqualTo(1);
    assertThat(two.effect().n()).isEqualTo(3);
  }

  @Test
  void singleBlockHasNoIntervalAndNoBlockIsRefused() {
    SessionEffect single = SessionEffect.of(List.of(new double[] {0.1}));

    assertThat(single.effect().logRatio()).isEqualTo(0.1);
    assertThat(single.effect().halfWidth(0.95)).isNaN();
    assertThatThrownBy(() -> SessionEffect.of(List.of(new double[0])))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void likenessOfNeighboursIsWorkedOutByHand() {
    NeighbourBlocks blocks =
        NeighbourBlocks.of(List.<double[][]>of(new double[][] {{1}, {2}, {3}, {6}}));

    assertThat(blocks.correlation()).isCloseTo(2.0 / 14, EXACT);
    // 10 of 24 orders have a sum of products of at least 2.
    assertThat(blocks.p()).isCloseTo(atLeastTwo() / 24.0, within(0.04));
    assertThat(blocks.size()).isEqualTo(1);
  }

  private static int atLeastTwo() {
    double[] e = {-2, -1, 0, 3};
    int found = 0;
    for (int a = 0; a < 4; a++) {
      for (int b = 0; b < 4; b++) {
        for (int c = 0; c < 4; c++) {
          int d = 6 - a - b - c;
          boolean order = a != b && a != c && b != c && d >= 0 && d < 4;
          if (order && e[a] * e[b] + e[b] * e[c] + e[c] * e[d] >= 2) {
            found++;
          }
        }
      }
    }
    return found;
  }

  @Test
  void slowWavesJoinNeighbours() {
    double[][] wave = new double[32][];
    Arrays.setAll(wave, b -> new double[] {Math.sin(b / 3.0), Double.NaN, Math.sin(b / 3.0) + 5});

    NeighbourBlocks blocks = NeighbourBlocks.of(List.<double[][]>of(wave));

    assertThat(blocks.p()).isLessThan(0.01);
    assertThat(blocks.size()).isGreaterThanOrEqualTo(4);
    assertThat(NeighbourBlocks.joined(new double[] {1, 3, 5, 7, 12}, 2)).containsExactly(2, 8);
    assertThat(NeighbourBlocks.joined(new double[] {1}, 4)).containsExactly(1);
  }

  @Test
  void fewBlocksAreNotTested() {
    NeighbourBlocks two = NeighbourBlocks.of(List.<double[][]>of(new double[][] {{1}, {2}}));

    assertThat(two.p()).isNaN();
    assertThat(two.size()).isEqualTo(1);
    assertThat(NeighbourBlocks.of(List.of()).size()).isEqualTo(1);
  }

  @Test
  void carryOverIsThatOfTheRegressionWithAllIndicators() {
    String[] orders = {"ABC", "BCA", "CAB", "CBA", "ACB", "BAC"};
    double[] y = {
      0.12, 0.31, -0.05, 0.40, 0.02, 0.11, 0.05, 0.20, 0.38, -0.02, 0.36, 0.15, 0.22, 0.01, 0.41,
      0.33, 0.13, 0.02
    };
    List<CarryOver.Window> windows = new ArrayList<>();
    String all = String.join("", orders);
    for (int i = 0; i < y.length; i++) {
      int previous = i == 0 ? -1 : all.charAt(i - 1) - 'A';
      windows.add(new CarryOver.Window(1, i / 3, all.charAt(i) - 'A', previous, y[i], Double.NaN));
    }

    CarryOver left = CarryOver.of(windows, 3);

    assertThat(left.previous()).hasSize(2);
    assertThat(left.previous().get(0).setting()).isEqualTo(1);
    assertThat(left.previous().get(0).logRatio()).isCloseTo(-0.009676870748299385, EXACT);
    assertThat(left.previous().get(0).low()).isCloseTo(-0.12246194050514972, TABLE);
    assertThat(left.previous().get(0).high()).isCloseTo(0.10310819900855095, TABLE);
    assertThat(left.previous().get(1).logRatio()).isCloseTo(0.0015646258503401208, EXACT);
    assertThat(left.halves()).isEmpty();
    assertThat(left.isFound(Band.DEFAULT)).isFalse();
    assertThat(left.isCovered(Band.DEFAULT)).isFalse();
  }

  @Test
  void tooFewWindowsTellNothing() {
    CarryOver none = CarryOver.of(List.of(new CarryOver.Window(1, 0, 1, 0, 0.1, 0.01)), 2);

    assertThat(none.previous()).isEmpty();
    assertThat(none.halves()).isEmpty();
    assertThat(none.halvesShare()).isEmpty();
    assertThat(CarryOver.of(List.of(), 1).previous()).isEmpty();
  }

  @Test
  void halvesAreStudentsWithPooledScatter() {
    CarryOver left =
        CarryOver.of(
            List.of(
                new CarryOver.Window(1, 0, 0, -1, 0.1, 0.01),
                new CarryOver.Window(1, 1, 0, 0, 0.1, 0.03)),
            2);

    assertThat(left.halves()).hasSize(1);
    assertThat(left.halves().get(0).logRatio()).isCloseTo(0.02, EXACT);
    assertThat(left.halves().get(0).high() - 0.02)
        .isCloseTo(0.01 / Math.tan(Math.PI * 0.005 / 2), TABLE);
  }

  @Test
  void shareIsThatWhichWasPlanted() {
    double[] tau = {0, 0.3, -0.1};
    String[] orders = {"ABC", "BCA", "CAB", "CBA", "ACB", "BAC"};
    List<CarryOver.Window> windows = new ArrayList<>();
    int previous = -1;
    for (int b = 0; b < orders.length; b++) {
      for (char one : orders[b].toCharArray()) {
        int setting = one - 'A';
        double before = previous < 0 ? tau[setting] : tau[previous];
        windows.add(
            new CarryOver.Window(
                1,
                b,
                setting,
                previous,
                b + 0.9 * tau[setting] + 0.1 * before,
                0.05 + 0.2 * (tau[setting] - before)));
        previous = setting;
      }
    }

    CarryOver left = CarryOver.of(windows, 3);

    // Levels are measured with what is left in them, so shares are of slightly smaller differences.
    assertThat(left.previousShare().orElseThrow().share()).isBetween(0.08, 0.15);
    assertThat(left.halvesShare().orElseThrow().share()).isBetween(0.19, 0.26);
    assertThat(left.span()).isBetween(0.3, 0.4);
    assertThat(left.isFound(Band.DEFAULT)).isTrue();
  }

  @Test
  void leastSquaresAreWorkedOutByHand() {
    LeastSquares fit =
        LeastSquares.of(new double[][] {{1}, {2}, {3}}, new double[] {1, 2, 4}, 0).orElseThrow();

    assertThat(fit.coefficients().get(0)).isCloseTo(17.0 / 14, EXACT);
    assertThat(fit.errors().get(0)).isCloseTo(Math.sqrt((21 - 289.0 / 14) / 2 / 14), EXACT);
    assertThat(LeastSquares.of(new double[][] {{1, 2}, {2, 4}, {3, 6}}, new double[3], 0))
        .isEmpty();
  }
}
