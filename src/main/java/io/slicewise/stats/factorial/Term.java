package io.slicewise.stats.factorial;

import java.util.List;

/**
 * A main effect, or an interaction of two factors: the levels that it compares with the first ones.
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
