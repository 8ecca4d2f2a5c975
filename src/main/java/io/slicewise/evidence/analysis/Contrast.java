package io.slicewise.evidence.analysis;

import io.slicewise.stats.CoinBets;
import io.slicewise.stats.Effect;
import java.util.Optional;

/** A comparison of two cells in one metric. */
public final class Contrast {
  private final double[] now;
  private final double[] before;
  private final Effect effect;
  private final Basis basis;
  private final int blocksEach;
  private final Optional<CoinBets> exact;

  /**
   * Creates a contrast of pairs, whose interval is that of the coins.
   *
   * @param now compared values, in the order of pairs
   * @param before those of the reference
   */
  Contrast(double[] now, double[] before, CoinBets exact) {
    this.now = now.clone();
    this.before = before.clone();
    this.effect = new Effect(exact.estimate(), Double.NaN, Double.NaN, exact.n());
    this.basis = Basis.PAIRS;
    this.blocksEach = 1;
    this.exact = Optional.of(exact);
  }

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
    this.exact = Optional.empty();
  }

  double[] now() {
    return now.clone();
  }

  double[] before() {
    return before.clone();
  }

  public Effect effect() {
    return effect;
  }

  public Basis basis() {
    return basis;
  }

  int blocksEach() {
    return blocksEach;
  }

  /** Returns the evidence of pairs; empty for other designs. */
  Optional<CoinBets> exact() {
    return exact;
  }
}
