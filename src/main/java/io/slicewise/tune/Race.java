package io.slicewise.tune;

import io.slicewise.tune.Evidence.Block;
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

  /** Returns a lower bound of the probability that the baseline is within δ of the best. */
  public double keeping() {
    return standings.keeping();
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

  /**
   * A candidate that left the race.
   *
   * @param block number of the block, from 1, after which it left
   * @param reason a clause for the report, such as "P(within 5 % of the best) < 0.001"
   */
  public record Departure(int candidate, int block, String reason) {}

  /**
   * The result of a race.
   *
   * @param choice the candidate to confirm; for a set, the one with the best estimate
   * @param set the candidates that cannot be excluded as within δ of the best, best estimate first
   * @param probability lower bound of the probability that the choice is within δ of the best
   */
  public record Answer(Kind kind, int choice, List<Integer> set, double probability) {
    public Answer {
      set = List.copyOf(set);
    }

    /** The kinds of answers. */
    public enum Kind {
      /** The choice is within δ of the best, and better than the settings found. */
      PROFILE,
      /** Several candidates may be the best, all of them better than the settings found. */
      SET,
      /** The settings found may be as good: none is shown to be better. */
      KEEP
    }
  }
}
