package io.slicewise.tune;

import java.util.List;

/**
 * The results so far, as a posterior of log ratios between candidates. More is better: ratios of a
 * metric that should be low are inverted.
 *
 * <p>The posterior of a log ratio is Student's t around {@link #logRatio} with {@link
 * #standardError} and {@link #freedom}.
 */
public interface Evidence {
  /** Adds a candidate that is not measured yet. */
  void enter();

  /** Adds the results of a block. */
  void add(Block block);

  /** Returns the number of candidates, measured or not. */
  int candidates();

  /** Returns the number of observations of a candidate. */
  int observations(int candidate);

  /** Returns the estimate of ln(candidate / other); {@code NaN} if they cannot be compared yet. */
  double logRatio(int candidate, int other);

  /** Returns the standard error of the log ratio; infinite if the variance is unknown. */
  double standardError(int candidate, int other);

  /** Returns the degrees of freedom of the standard error. */
  double freedom(int candidate, int other);

  /**
   * One block of results: an independent trial is a block of one.
   *
   * @param session number of the session, from 0; results of one session share its start effect
   * @param candidates each at most once
   * @param values positive, in the metric's unit, in the order of the candidates
   */
  record Block(int session, List<Integer> candidates, List<Double> values) {
    public Block {
      candidates = List.copyOf(candidates);
      values = List.copyOf(values);
      if (candidates.size() != values.size()
          || candidates.stream().distinct().count() != candidates.size()) {
        throw new IllegalArgumentException("each candidate of a block has one value");
      }
      if (values.stream().anyMatch(value -> !(value > 0 && Double.isFinite(value)))) {
        throw new IllegalArgumentException("a ratio needs positive observations: " + values);
      }
    }
  }
}
