package io.slicewise.stats.factorial;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * A layout of cells, each a combination of levels, and its contrasts: weights of the cells whose
 * sum is an effect.
 *
 * <ul>
 *   <li>The main effect of level a of a factor is the mean of all cells with it minus the mean of
 *       all cells with the first level. Each level has an effect of its own: nothing is assumed of
 *       what is between two of them.
 *   <li>The interaction of level a of one factor and b of another is the difference of differences
 *       (m_ab − m_0b) − (m_a0 − m_00) of means m of the cells with both: by how much more a changes
 *       under b than under its first level. On logarithms it is a ratio of ratios. For two levels
 *       it is twice the interaction of Box, Hunter and Hunter, who halve it.
 *   <li>Two terms whose weights are proportional are aliases: the cells cannot distinguish them.
 * </ul>
 *
 * <p>Source: G. E. P. Box, J. S. Hunter and W. G. Hunter, <i>Statistics for Experimenters</i>
 * (2005), chapters 5 and 6.
 *
 * <p>Worked example: cells 60, 72, 54, 68, 52, 83, 45, 80 with temperature changing fastest, then
 * concentration, then catalyst (their pilot plant): temperature 75.75 − 52.75 = +23, and
 * temperature with catalyst (81.5 − 48.5) − (70 − 57) = +20.
 */
public final class Factorial {
  private static final double EQUAL = 1e-9;

  private final int[] levels;
  private final List<int[]> cells;

  /**
   * @param levels the number of levels of each factor
   * @param cells the level of each factor, from 0, by cell
   */
  public Factorial(List<Integer> levels, List<List<Integer>> cells) {
    this.levels = levels.stream().mapToInt(Integer::intValue).toArray();
    this.cells = cells.stream().map(c -> c.stream().mapToInt(Integer::intValue).toArray()).toList();
  }

  /** Returns all combinations; the first factor changes slowest. */
  public static List<int[]> combinations(List<Integer> levels) {
    List<int[]> all = new ArrayList<>(List.of(new int[levels.size()]));
    for (int factor = 0; factor < levels.size(); factor++) {
      int place = factor;
      int most = levels.get(factor);
      all =
          all.stream()
              .flatMap(
                  cell ->
                      IntStream.range(0, most)
                          .mapToObj(
                              level -> {
                                int[] other = cell.clone();
                                other[place] = level;
                                return other;
                              }))
              .toList();
    }
    return List.copyOf(all);
  }

  /**
   * An effect, and those that the cells cannot distinguish from it.
   *
   * @param aliases later terms with proportional weights
   */
  public record Contrast(Term term, List<Double> weights, List<Term> aliases) {
    public Contrast {
      weights = List.copyOf(weights);
      aliases = List.copyOf(aliases);
    }
  }

  /** Returns main effects, then interactions of two factors, each with its aliases. */
  public List<Contrast> contrasts() {
    Map<Term, double[]> known = new LinkedHashMap<>();
    Map<Term, List<Term>> aliases = new LinkedHashMap<>();
    for (Term term : terms()) {
      double[] weights = weights(term);
      if (Arrays.stream(weights).allMatch(Double::isFinite)) {
        known.entrySet().stream()
            .filter(earlier -> areProportional(earlier.getValue(), weights))
            .map(Map.Entry::getKey)
            .findFirst()
            .ifPresentOrElse(
                earlier -> aliases.get(earlier).add(term),
                () -> {
                  known.put(term, weights);
                  aliases.put(term, new ArrayList<>());
                });
      }
    }
    return known.entrySet().stream()
        .map(
            one ->
                new Contrast(
                    one.getKey(),
                    Arrays.stream(one.getValue()).boxed().toList(),
                    aliases.get(one.getKey())))
        .toList();
  }

  private List<Term> terms() {
    List<Term> terms = new ArrayList<>();
    for (int factor = 0; factor < levels.length; factor++) {
      for (int level = 1; level < levels[factor]; level++) {
        terms.add(new Term(List.of(factor), List.of(level)));
      }
    }
    for (int one = 0; one < levels.length; one++) {
      for (int other = one + 1; other < levels.length; other++) {
        for (int level = 1; level < levels[one]; level++) {
          for (int its = 1; its < levels[other]; its++) {
            terms.add(new Term(List.of(one, other), List.of(level, its)));
          }
        }
      }
    }
    return terms;
  }

  /** Returns the weights of a term; not finite if a mean that it needs has no cell. */
  private double[] weights(Term term) {
    double[] weights = new double[cells.size()];
    int corners = 1 << term.factors().size();
    for (int corner = 0; corner < corners; corner++) {
      int chosen = corner;
      int[] its =
          IntStream.range(0, cells.size()).filter(cell -> isAt(cell, term, chosen)).toArray();
      int firsts = term.factors().size() - Integer.bitCount(corner);
      double weight = (firsts % 2 == 0 ? 1.0 : -1.0) / its.length;
      if (its.length == 0) {
        weights[0] = Double.NaN;
      }
      Arrays.stream(its).forEach(cell -> weights[cell] += weight);
    }
    return weights;
  }

  /** Returns whether a cell has, of each factor of a term, its level or the first one. */
  private boolean isAt(int cell, Term term, int corner) {
    return IntStream.range(0, term.factors().size())
        .allMatch(
            i ->
                cells.get(cell)[term.factors().get(i)]
                    == (((corner >> i) & 1) == 1 ? term.levels().get(i) : 0));
  }

  private static boolean areProportional(double[] one, double[] other) {
    double product = dot(one, other);
    double sizes = dot(one, one) * dot(other, other);
    return Math.abs(product * product - sizes) < EQUAL * sizes;
  }

  private static double dot(double[] one, double[] other) {
    return IntStream.range(0, one.length).mapToDouble(i -> one[i] * other[i]).sum();
  }

  /**
   * A main effect, or an interaction of two factors: the levels that it compares with the first
   * ones.
   *
   * @param factors one or two, ascending
   * @param levels of each of these, at least 1
   */
  public record Term(List<Integer> factors, List<Integer> levels) {
    public Term {
      factors = List.copyOf(factors);
      levels = List.copyOf(levels);
    }

    /** Returns whether it is the effect of one factor. */
    public boolean isMain() {
      return factors.size() == 1;
    }
  }
}
