package io.slicewise.stats.factorial;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.slicewise.stats.Effect;
import io.slicewise.stats.WelchEffect;
import io.slicewise.stats.factorial.Factorial.Contrast;
import io.slicewise.stats.factorial.Factorial.Term;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

/** Protects: effects are those of the textbook, and of a definition that is written apart. */
class FactorialTest {
  private static final Offset<Double> EXACT = within(1e-9);

  /** t(0.975; 6), of the tables. */
  private static final double T_OF_SIX = 2.4469118511449692;

  /**
   * The pilot plant of Box, Hunter and Hunter, <i>Statistics for Experimenters</i>, tables 5.3 and
   * 5.4: the two runs of each cell, temperature changing fastest, then concentration, then
   * catalyst.
   */
  private static final List<double[]> PILOT_PLANT =
      List.of(
          new double[] {59, 61},
          new double[] {74, 70},
          new double[] {50, 58},
          new double[] {69, 67},
          new double[] {50, 54},
          new double[] {81, 85},
          new double[] {46, 44},
          new double[] {79, 81});

  private static final List<List<Integer>> CUBE =
      IntStream.range(0, 8).mapToObj(i -> List.of(i & 1, (i >> 1) & 1, (i >> 2) & 1)).toList();

  private static List<Contrast> contrasts(List<Integer> levels, List<List<Integer>> cells) {
    return new Factorial(levels, cells).contrasts();
  }

  @Test
  void effectsOfThePilotPlantAreThePublishedOnes() {
    Map<List<Integer>, Double> published =
        Map.of(
            List.of(0),
            23.0,
            List.of(1),
            -5.0,
            List.of(2),
            1.5,
            List.of(0, 1),
            1.5,
            List.of(0, 2),
            10.0,
            List.of(1, 2),
            0.0);
    List<Contrast> contrasts = contrasts(List.of(2, 2, 2), CUBE);
    assertThat(contrasts).hasSize(6);
    for (Contrast contrast : contrasts) {
      Effect effect = ContrastEffect.independent(contrast.weights(), PILOT_PLANT);
      // The book halves an interaction.
      int times = contrast.term().isMain() ? 1 : 2;
      assertThat(effect.logRatio())
          .isCloseTo(times * published.get(contrast.term().factors()), EXACT);
      // s² = 8 of 8 pairs: the standard error of an effect is √2, in the book 1.4.
      assertThat(effect.standardError()).isCloseTo(times * Math.sqrt(2), EXACT);
      // Satterthwaite: (Σ s²)² / Σ s⁴ with the cells' s² of 2, 8, 32, 2, 8, 8, 2 and 2.
      assertThat(effect.degreesOfFreedom()).isCloseTo(64.0 * 64 / 1232, EXACT);
    }
  }

  @Test
  void aContrastOfTwoIndependentCellsIsWelchs() {
    double[] base = {100, 105, 98, 120};
    double[] other = {80, 85, 79};
    Effect welch = WelchEffect.of(other, base);
    Effect effect =
        ContrastEffect.independent(List.of(-1.0, 1.0), List.of(logs(base), logs(other)));
    assertThat(effect.logRatio()).isCloseTo(welch.logRatio(), EXACT);
    assertThat(effect.standardError()).isCloseTo(welch.standardError(), EXACT);
    assertThat(effect.degreesOfFreedom()).isCloseTo(welch.degreesOfFreedom(), EXACT);
  }

  private static double[] logs(double... values) {
    return Arrays.stream(values).map(Math::log).toArray();
  }

  /** Three, two and four levels in seven blocks, by nested loops over the definition. */
  @Test
  void effectsInBlocksAreThoseOfTheDefinition() {
    int[] levels = {3, 2, 4};
    int blocks = 7;
    Random random = new Random(34);
    double[][][][] y = new double[3][2][4][blocks];
    List<List<Integer>> cells = new ArrayList<>();
    List<double[]> logs = new ArrayList<>();
    for (int[] cell : Factorial.combinations(List.of(3, 2, 4))) {
      double[] its = random.doubles(blocks).map(x -> 4 + x).toArray();
      y[cell[0]][cell[1]][cell[2]] = its;
      cells.add(Arrays.stream(cell).boxed().toList());
      logs.add(its);
    }
    List<Contrast> contrasts = contrasts(List.of(3, 2, 4), cells);
    assertThat(contrasts).hasSize((2 + 1 + 3) + (2 * 1 + 2 * 3 + 1 * 3));
    for (Contrast contrast : contrasts) {
      Term term = contrast.term();
      double[] differences = new double[blocks];
      for (int b = 0; b < blocks; b++) {
        int block = b;
        int first = term.factors().get(0);
        int level = term.levels().get(0);
        if (term.isMain()) {
          differences[b] =
              mean(y, block, levels, Map.of(first, level))
                  - mean(y, block, levels, Map.of(first, 0));
        } else {
          int second = term.factors().get(1);
          int its = term.levels().get(1);
          double under =
              mean(y, block, levels, Map.of(first, level, second, its))
                  - mean(y, block, levels, Map.of(first, 0, second, its));
          double otherwise =
              mean(y, block, levels, Map.of(first, level, second, 0))
                  - mean(y, block, levels, Map.of(first, 0, second, 0));
          differences[b] = under - otherwise;
        }
      }
      Effect effect = ContrastEffect.blocked(contrast.weights(), logs);
      double mean = Arrays.stream(differences).sum() / blocks;
      double squares = Arrays.stream(differences).map(d -> (d - mean) * (d - mean)).sum();
      double error = Math.sqrt(squares / (blocks - 1) / blocks);
      assertThat(effect.logRatio()).isCloseTo(mean, EXACT);
      assertThat(effect.standardError()).isCloseTo(error, EXACT);
      assertThat(effect.degreesOfFreedom()).isEqualTo(blocks - 1.0);
      assertThat(effect.highPercent(0.95))
          .isCloseTo(100 * Math.expm1(mean + T_OF_SIX * error), EXACT);
    }
  }

  private static double mean(
      double[][][][] y, int block, int[] levels, Map<Integer, Integer> fixed) {
    double sum = 0;
    int number = 0;
    for (int a = 0; a < levels[0]; a++) {
      for (int b = 0; b < levels[1]; b++) {
        for (int c = 0; c < levels[2]; c++) {
          if (fixed.getOrDefault(0, a) == a
              && fixed.getOrDefault(1, b) == b
              && fixed.getOrDefault(2, c) == c) {
            sum += y[a][b][c][block];
            number++;
          }
        }
      }
    }
    return sum / number;
  }

  @Test
  void whatSlowsAWholeBlockCancels() {
    Random random = new Random(1);
    List<double[]> logs = IntStream.range(0, 8).mapToObj(i -> random.doubles(5).toArray()).toList();
    double[] slow = {3, -2, 0, 7, 1};
    List<double[]> slowed =
        logs.stream()
            .map(x -> IntStream.range(0, 5).mapToDouble(b -> x[b] + slow[b]).toArray())
            .toList();
    for (Contrast contrast : contrasts(List.of(2, 2, 2), CUBE)) {
      Effect one = ContrastEffect.blocked(contrast.weights(), logs);
      Effect other = ContrastEffect.blocked(contrast.weights(), slowed);
      assertThat(other.logRatio()).isCloseTo(one.logRatio(), EXACT);
      assertThat(other.standardError()).isCloseTo(one.standardError(), EXACT);
    }
  }

  @Test
  void aSingleBlockHasNoInterval() {
    List<double[]> logs = List.of(new double[] {1}, new double[] {2});
    assertThat(ContrastEffect.blocked(List.of(-1.0, 1.0), logs).pValue()).isNaN();
    assertThat(ContrastEffect.independent(List.of(-1.0, 1.0), logs).pValue()).isNaN();
  }
}
