package io.slicewise.stats.factorial;

import static org.assertj.core.api.Assertions.assertThat;

import io.slicewise.stats.factorial.Factorial.Contrast;
import io.slicewise.stats.factorial.Factorial.Term;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Protects: fractions have the published sizes and resolutions, and aliases are what cells say. */
class FractionTest {
  /**
   * Box, Hunter and Hunter (2005), table 6.22; resolution as asked for, cells, resolution as is.
   */
  @ParameterizedTest
  @CsvSource({
    "3, 3, 4, 3", "4, 4, 8, 4", "5, 5, 16, 5", "5, 3, 8, 3", "6, 3, 8, 3", "6, 4, 16, 4",
    "6, 5, 32, 6", "7, 3, 8, 3", "7, 4, 16, 4", "7, 5, 64, 7", "8, 4, 16, 4", "8, 5, 64, 5",
    "9, 3, 16, 3", "9, 4, 32, 4", "10, 3, 16, 3", "10, 4, 32, 4", "10, 5, 128, 5"
  })
  void fractionsAreThePublishedOnes(int factors, int asked, int cells, int resolution) {
    Fraction fraction = Fraction.of(factors, asked).orElseThrow();
    assertThat(fraction.combinations()).hasSize(cells);
    assertThat(fraction.resolution()).isEqualTo(resolution);
    assertThat(shortestWord(fraction)).isEqualTo(resolution);
    assertThat(fraction.combinations().get(0)).as("all first levels").containsOnly(0);
  }

  /** The smallest set of factors whose sum modulo 2 is the same in all cells. */
  private static int shortestWord(Fraction fraction) {
    List<int[]> cells = fraction.combinations();
    return IntStream.range(1, 1 << fraction.factors())
        .filter(
            set ->
                cells.stream()
                        .map(
                            cell ->
                                IntStream.range(0, cell.length)
                                        .filter(i -> ((set >> i) & 1) == 1)
                                        .map(i -> cell[i])
                                        .sum()
                                    % 2)
                        .distinct()
                        .count()
                    == 1)
        .map(Integer::bitCount)
        .min()
        .orElseThrow();
  }

  @Test
  void someNumbersOfFactorsHaveNoFraction() {
    assertThat(Fraction.of(2, 3)).isEmpty();
    assertThat(Fraction.of(3, 4)).isEmpty();
    assertThat(Fraction.of(4, 5)).isEmpty();
  }

  private static List<Contrast> contrasts(int factors, int resolution) {
    return new Factorial(
            IntStream.range(0, factors).mapToObj(i -> 2).toList(),
            Fraction.of(factors, resolution).orElseThrow().combinations().stream()
                .map(cell -> Arrays.stream(cell).boxed().toList())
                .toList())
        .contrasts();
  }

  private static Set<String> aliases(int factors, int resolution) {
    return contrasts(factors, resolution).stream()
        .map(
            contrast ->
                letters(contrast.term())
                    + contrast.aliases().stream()
                        .map(alias -> "=" + letters(alias))
                        .collect(Collectors.joining()))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private static String letters(Term term) {
    return term.factors().stream()
        .map(factor -> String.valueOf((char) ('A' + factor)))
        .collect(Collectors.joining());
  }

  @Test
  void aliasesAreThoseOfTheTextbook() {
    assertThat(aliases(3, 3)).containsExactly("A=BC", "B=AC", "C=AB");
    assertThat(aliases(4, 4)).containsExactly("A", "AB=CD", "AC=BD", "AD=BC", "B", "C", "D");
    assertThat(aliases(5, 5)).hasSize(5 + 10).noneMatch(name -> name.contains("="));
    assertThat(aliases(7, 3))
        .containsExactly(
            "A=BD=CE=FG",
            "B=AD=CF=EG",
            "C=AE=BF=DG",
            "D=AB=CG=EF",
            "E=AC=BG=DF",
            "F=AG=BC=DE",
            "G=AF=BE=CD");
  }
}
