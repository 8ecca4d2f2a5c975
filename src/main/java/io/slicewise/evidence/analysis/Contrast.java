package io.slicewise.evidence.analysis;

import io.slicewise.stats.Effect;

/** A comparison of two cells in one metric. */
final class Contrast {
  private final double[] now;
  private final double[] before;
  private final Effect effect;
  private final Basis basis;
  private final int blocksEach;

  /**
   * Creates a contrast.
   *
   * @param now compared values, in block order if there are blocks
   * @param before those of the reference
   * @param blocksEach the number of blocks joined in each observation of the effect
   */
  Contrast(double[] now, double[] before, Effect effect, Basis basis, int blocksEach) {
    this.now = now.clone();
    this.before = before.clone();
    this.effect = effect;
    this.basis = basis;
    this.blocksEach = blocksEach;
  }

  double[] now() {
    return now.clone();
  }

  double[] before() {
    return before.clone();
  }

  Effect effect() {
    return effect;
  }

  Basis basis() {
    return basis;
  }

  int blocksEach() {
    return blocksEach;
  }
}
