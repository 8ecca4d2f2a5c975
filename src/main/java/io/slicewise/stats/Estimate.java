package io.slicewise.stats;

/**
 * A mean of independent observations (trials) with its interval.
 *
 * @param n number of observations; 0 gives {@code NaN} everywhere
 * @param deviation sample standard deviation (n − 1); {@code NaN} for n &lt; 2
 * @param low lower end of the interval; {@code NaN} when there is none (n &lt; 2)
 * @param high upper end of the interval
 * @param confidence of the interval, e.g. 0.95
 */
public record Estimate(
    double mean, double deviation, int n, double low, double high, double confidence) {
  /** Half the interval's width; {@code NaN} when there is none. */
  public double halfWidth() {
    return (high - low) / 2;
  }

  /** Returns the estimate of the opposite: of −x where this is of x. */
  public Estimate negated() {
    return new Estimate(-mean, deviation, n, -high, -low, confidence);
  }
}
