package io.slicewise.stats.factorial;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * A regular fraction of all combinations of factors with two levels each, 0 and 1: the first {@code
 * basics} factors take all combinations, and each further one is the sum modulo 2 of some of them,
 * its generator. The combination of all first levels is always a part of it.
 *
 * <p>The word of a generator is it together with its factor; sums modulo 2 of words are words, and
 * their shortest length is the resolution: with III, main effects are aliased with interactions of
 * two factors; with IV, such interactions with each other; with V, neither. Of all generators, the
 * first of minimum aberration are taken: the fewest words of length 3, then of length 4, and so on.
 *
 * <p>Source: G. E. P. Box and J. S. Hunter, <i>The 2^(k−p) fractional factorial designs</i>,
 * Technometrics 3 (1961); A. Fries and W. G. Hunter, <i>Minimum aberration 2^(k−p) designs</i>,
 * Technometrics 22 (1980).
 *
 * <p>Worked example: five factors of resolution III have the 8 combinations of A, B and C with D =
 * A + B and E = A + C: words ABD, ACE and BCDE. Of resolution V they have 16, with E = A + B + C +
 * D.
 *
 * @param factors number of them
 * @param basics number of those that take all combinations
 * @param generators of the further factors, each as the set of its basic factors: bit i for i
 * @param resolution the shortest length of a word
 */
public record Fraction(int factors, int basics, List<Integer> generators, int resolution) {
  /** The most factors among whose fractions the best is looked for. */
  public static final int MOST_FACTORS = 10;

  public Fraction {
    generators = List.copyOf(generators);
  }

  /**
   * Returns the smallest fraction of at least that resolution; empty if only all combinations have
   * it.
   */
  public static Optional<Fraction> of(int factors, int resolution) {
    if (factors > MOST_FACTORS) {
      throw new IllegalArgumentException("%d factors are too many".formatted(factors));
    }
    for (int basics = 2; basics < factors; basics++) {
      Optional<Fraction> best = new Search(factors, basics).best();
      if (best.isPresent() && best.get().resolution() >= resolution) {
        return best;
      }
    }
    return Optional.empty();
  }

  /** Returns the levels of each combination, 0 or 1 by factor; the first factor changes slowest. */
  public List<int[]> combinations() {
    List<int[]> all = new ArrayList<>();
    for (int number = 0; number < 1 << basics; number++) {
      int[] levels = new int[factors];
      int chosen = 0;
      for (int i = 0; i < basics; i++) {
        levels[i] = (number >> (basics - 1 - i)) & 1;
        chosen |= levels[i] << i;
      }
      for (int i = basics; i < factors; i++) {
        levels[i] = Integer.bitCount(generators.get(i - basics) & chosen) & 1;
      }
      all.add(levels);
    }
    return List.copyOf(all);
  }

  /** The search for generators of minimum aberration. */
  private static final class Search {
    private final int factors;
    private final int basics;
    private final List<Integer> candidates = new ArrayList<>();
    private final int[] chosen;
    private int[] fewest = {};
    private int[] best = {};

    Search(int factors, int basics) {
      this.factors = factors;
      this.basics = basics;
      this.chosen = new int[factors - basics];
      for (int set = 0; set < 1 << basics; set++) {
        if (Integer.bitCount(set) > 1) {
          candidates.add(set);
        }
      }
    }

    Optional<Fraction> best() {
      choose(0, 0);
      if (best.length == 0) {
        return Optional.empty();
      }
      int shortest = 1;
      while (fewest[shortest] == 0) {
        shortest++;
      }
      return Optional.of(
          new Fraction(factors, basics, Arrays.stream(best).boxed().toList(), shortest));
    }

    private void choose(int place, int from) {
      if (place == chosen.length) {
        compare();
        return;
      }
      for (int i = from; i < candidates.size(); i++) {
        chosen[place] = candidates.get(i);
        choose(place + 1, i + 1);
      }
    }

    private void compare() {
      int[] words = new int[factors + 1];
      for (int some = 1; some < 1 << chosen.length; some++) {
        int word = some << basics;
        for (int i = 0; i < chosen.length; i++) {
          word ^= ((some >> i) & 1) == 1 ? chosen[i] : 0;
        }
        words[Integer.bitCount(word)]++;
      }
      if (best.length == 0 || Arrays.compare(words, fewest) < 0) {
        best = chosen.clone();
        fewest = words;
      }
    }
  }
}
