package io.slicewise.base.units;

import java.util.Optional;

/**
 * A percentile of a sample. It is known if at least {@value #BEYOND} values are expected beyond it,
 * on the side with fewer: p50 needs 20 samples, p95 200, p99 1,000.
 *
 * @param percent such as 95
 */
public record Percentile(double percent) {
  private static final int BEYOND = 10;
  private static final double ALL = 100;
  private static final double ROUNDING = 1e-6;

  /** Returns the percentile that a metric such as {@code p95} is; empty for others. */
  public static Optional<Percentile> of(String metric) {
    return metric.matches("p[0-9]+")
        ? Optional.of(new Percentile(Integer.parseInt(metric.substring(1))))
        : Optional.empty();
  }

  /**
   * Returns its nearest rank in that many values, from 1. It is rounded down one step, so that a
   * product slightly above a whole number does not select the next rank.
   */
  public long rank(long samples) {
    return Math.max(1, (long) Math.ceil(Math.nextDown(percent) / ALL * samples));
  }

  /** Returns it by nearest rank in values in order; {@code NaN} if they are too few to know it. */
  public double in(double... sorted) {
    return sorted.length < samples() ? Double.NaN : sorted[(int) rank(sorted.length) - 1];
  }

  /** Returns how many samples it needs. */
  public long samples() {
    return (long) Math.ceil(BEYOND * ALL / Math.min(percent, ALL - percent) - ROUNDING);
  }
}
