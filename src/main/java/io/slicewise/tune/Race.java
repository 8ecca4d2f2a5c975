package io.slicewise.tune;

import java.util.List;

/**
 * A race of candidates: proposes the next measurement and decides from the results alone. Its state
 * depends only on the seed and the sequence of calls, so a race rebuilt from a journal equals the
 * original one.
 */
public abstract class Race {
  final Standings standings;

  Race(Standings standings) {
    this.standings = standings;
  }

  /** Returns the candidates of the next block; empty when the race is over. */
  public abstract List<Integer> next();

  /** Adds the results of a block, whether proposed or not. */
  public abstract void add(Block block);

  /** Adds a candidate and returns its number; it is measured n₀ times before it can leave. */
  public abstract int enter();

  /**
   * Excludes a candidate immediately and permanently because it breaks a guard. Candidates that
   * left because it was so much better race again.
   */
  public abstract void exclude(int candidate, String reason);

  /** Returns whether the probability of a good selection satisfies the stopping rule. */
  public abstract boolean decided();

  /** Returns the candidate with the best estimate; −1 before the first result. */
  public int leader() {
    return standings.leader();
  }

  /** Returns a lower bound of the probability that the leader is within δ of the best. */
  public double probability() {
    return standings.probability();
  }

  /** Returns the candidates still in the race. */
  public List<Integer> survivors() {
    return standings.survivors();
  }

  /** Returns the candidates that left, in order. */
  public List<Departure> departures() {
    return standings.departures();
  }

  /** Returns the answer that the current results support. */
  public Answer answer() {
    return standings.answer();
  }

  /** Returns the measurements so far. */
  public abstract Evidence evidence();
}
