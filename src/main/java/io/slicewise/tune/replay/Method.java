package io.slicewise.tune.replay;

/** A way to find the best profile of one load, replayed any number of times. */
interface Method {
  /** As tables and JSON write it. */
  String name();

  /** Looks for the best profile once; the same seed gives the same end. */
  End run(long seed);

  /**
   * How one search ended.
   *
   * @param runs used, in units of one trial
   * @param claimed whether the choice is claimed to be within δ of the best
   */
  record End(int choice, double runs, boolean claimed) {}
}
