package io.slicewise.tune.replay;

/** A method to find the best profile of one load, which can be replayed any number of times. */
interface Method {
  /** Returns the name in tables and JSON. */
  String name();

  /** Searches for the best profile once; the same seed gives the same result. */
  End run(long seed);

  /**
   * The result of one search.
   *
   * @param runs used, in units of one trial
   * @param claimed whether the choice is claimed to be within δ of the best
   */
  record End(int choice, double runs, boolean claimed) {}
}
