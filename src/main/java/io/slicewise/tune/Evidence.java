package io.slicewise.tune;

/**
 * What was measured so far, as a posterior of log ratios between candidates. More is better: the
 * ratio of a metric that should be low is inverted.
 *
 * <p>The posterior of a log ratio is Student's t around {@link #logRatio} with {@link
 * #standardError} and {@link #freedom}.
 */
public interface Evidence {
  /** How many candidates there are, measured or not. */
  int candidates();

  /** How many observations a candidate has. */
  int observations(int candidate);

  /** The estimate of ln(candidate / other); {@code NaN} when they cannot be compared yet. */
  double logRatio(int candidate, int other);

  /** The standard error of the log ratio; infinite when nothing shows the scatter. */
  double standardError(int candidate, int other);

  /** The degrees of freedom of the standard error. */
  double freedom(int candidate, int other);
}
