package io.slicewise.tune;

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
}
