package io.slicewise.tune;

import java.util.List;

/**
 * A race of candidates: proposes what to measure next and decides from the results alone. Its state
 * is a function of the seed and of the calls in their order; a race rebuilt from a journal is the
 * race that wrote it.
 */
public interface Race {
  /** Returns the candidates of the next block; empty when the race is over. */
  List<Integer> next();

  /** Takes in the results of a block, whether proposed or not. */
  void add(Block block);

  /** Adds a candidate and returns its number; it is measured n₀ times before it can leave. */
  int enter();

  /** Excludes a candidate at once and for good, because it breaks a guard. */
  void exclude(int candidate, String reason);

  /** Returns whether the probability of a good selection reached the rule to stop. */
  boolean decided();

  /** The candidate with the best estimate; −1 before the first result. */
  int leader();

  /** The probability that the leader is within δ of the best, at least. */
  double probability();

  /** The candidates still in the race. */
  List<Integer> survivors();

  /** Who left, in order. */
  List<Departure> departures();

  /** The answer that the results support now. */
  Answer answer();

  /** What was measured. */
  Evidence evidence();
}
