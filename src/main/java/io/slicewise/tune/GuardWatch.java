package io.slicewise.tune;

import io.slicewise.tune.Evidence.Block;

/**
 * A guarded metric compared with the settings found (candidate 0). A candidate breaks the guard if
 * the whole interval of its ratio is beyond the limit.
 */
public final class GuardWatch {
  private static final int BASELINE = 0;

  private final Evidence evidence;
  private final double bound;
  private final double confidence;

  private GuardWatch(Evidence evidence, double bound, double confidence) {
    this.evidence = evidence;
    this.bound = bound;
    this.confidence = confidence;
  }

  /**
   * Creates a guard without results, with the baseline alone.
   *
   * @param lowerIsBetter whether the guarded metric is better when smaller
   * @param allowed the worst change, as a share
   * @param sessions whether results come in blocks of sessions instead of independent trials
   */
  public static GuardWatch of(
      boolean lowerIsBetter, double allowed, double confidence, boolean sessions) {
    Rules rules = lowerIsBetter ? Rules.DEFAULT.lowest() : Rules.DEFAULT;
    return new GuardWatch(
        sessions ? new BlockEvidence(1, rules) : new TrialEvidence(1, rules),
        lowerIsBetter ? -Math.log1p(allowed) : Math.log1p(-allowed),
        confidence);
  }

  /** Adds a candidate. */
  public void enter() {
    evidence.enter();
  }

  /** Adds the guarded metric of a block. */
  public void add(Block block) {
    evidence.add(block);
  }

  /** Returns whether the whole interval of a candidate is beyond the limit. */
  public boolean isBroken(int candidate) {
    return candidate != BASELINE
        && evidence.observations(candidate) > 0
        && Posterior.exceeds(evidence, candidate, BASELINE, bound) < (1 - confidence) / 2;
  }

  /** Returns whether a candidate's estimate is beyond the limit, whatever its interval. */
  public boolean isDoubtful(int candidate) {
    return candidate != BASELINE && evidence.logRatio(candidate, BASELINE) < bound;
  }
}
