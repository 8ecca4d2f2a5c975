package io.slicewise.tune;

/**
 * Computes probabilities from {@link Evidence} with a flat prior of the log effects.
 *
 * <p>P(good selection) of a choice c is bounded from below by Π_{j≠c} P(θ_j − θ_c ≤ δ): the
 * differences share θ_c, are therefore positively correlated, and by D. Slepian, <i>The one-sided
 * barrier problem for Gaussian noise</i>, Bell System Technical Journal 41 (1962), the joint
 * probability is at least the product.
 */
final class Posterior {
  private Posterior() {}

  /**
   * Returns the candidate with the highest estimate among those in the race; −1 if none has one.
   */
  static int leader(Evidence evidence, boolean[] in) {
    int leader = -1;
    for (int i = 0; i < in.length; i++) {
      if (in[i]
          && evidence.observations(i) > 0
          && (leader < 0 || evidence.logRatio(i, leader) > 0)) {
        leader = i;
      }
    }
    return leader;
  }

  /**
   * Returns a lower bound of the probability that a choice is within δ of the best.
   *
   * @param eligible the candidates that may be chosen: all but those that break a guard
   */
  static double good(Evidence evidence, boolean[] eligible, int choice, double band) {
    double product = 1;
    for (int j = 0; j < eligible.length; j++) {
      if (j != choice && eligible[j]) {
        product *= within(evidence, choice, j, band);
      }
    }
    return product;
  }

  /**
   * Returns a lower bound of the probability that a choice is within δ of the best of all
   * candidates.
   */
  static double good(Evidence evidence, int choice, double band) {
    double product = 1;
    for (int j = 0; j < evidence.candidates(); j++) {
      if (j != choice) {
        product *= within(evidence, choice, j, band);
      }
    }
    return product;
  }

  /** Returns the probability that one candidate is at most δ worse than another. */
  static double within(Evidence evidence, int candidate, int other, double band) {
    return exceeds(evidence, candidate, other, -band);
  }

  /** Returns the probability that ln(candidate / other) is above a bound; 0.5 when unknown. */
  static double exceeds(Evidence evidence, int candidate, int other, double bound) {
    double ratio = evidence.logRatio(candidate, other);
    double error = evidence.standardError(candidate, other);
    if (Double.isNaN(ratio) || !(error < Double.POSITIVE_INFINITY)) {
      return 0.5;
    }
    return StudentTail.cumulative((ratio - bound) / error, evidence.freedom(candidate, other));
  }
}
