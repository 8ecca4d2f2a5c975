package io.slicewise.tune;

import java.util.List;

/**
 * A race of candidates: proposes the next measurement and decides from the results alone. Its state
 * depends only on the seed and the sequence of calls, so a race rebuilt from a journal equals the
 * original one.
 */
public interface Race {
  /** Returns the candidates of the next block; empty when the race is over. */
  List<Integer> next();

  /** Adds the results of a block, whether proposed or not. */
  void add(Block block);

  /** Adds a candidate and returns its number; it is measured n₀ times before it can leave. */
  int enter();

  /**
   * Excludes a candidate immediately and permanently because it breaks a guard. Candidates that
   * left because it was so much better race again.
   */
  void exclude(int candidate, String reason);

  /** Returns whether the probability of a good selection satisfies the stopping rule. */
  boolean decided();

  /** Returns the candidate with the best estimate; −1 before the first result. */
  int leader();

  /** Returns a lower bound of the probability that the leader is within δ of the best. */
  double probability();

  /** Returns the candidates still in the race. */
  List<Integer> survivors();

  /** Returns the candidates that left, in order. */
  List<Departure> departures();

  /** Returns the answer that the current results support. */
  Answer answer();

  /** Returns the measurements so far. */
  Evidence evidence();
}
