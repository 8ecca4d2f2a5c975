package io.slicewise.stats;

import org.apache.commons.math3.distribution.NormalDistribution;

/**
 * The interval of the 2010 study, only used to rebuild its tables: x̄ ± z((1+c)/2)·s/√n with the
 * normal quantile instead of Student's.
 *
 * <p>Source: back-calculated from Tables 5.1 to 5.3 of J. Devine, <i>An Empirical Evaluation of
 * Methods for Improving Efficiency in Xen Virtual Machine CPU Scheduling</i>, Allegheny College TR
 * CS10-01 (2010). For the study's five runs it is 0.71 times as wide as it should be and covers
 * about 88 %, not 95 %.
 *
 * <p>Worked example: mean 127.57, deviation 28.83, 5 runs: 1.959964 · 28.83 / √5 = 25.27.
 */
public final class PublishedInterval {
  private static final NormalDistribution NORMAL = new NormalDistribution(null, 0, 1);

  private PublishedInterval() {}

  /**
   * The estimate; without an interval ({@code NaN}) for fewer than two observations.
   *
   * @throws IllegalArgumentException if an observation is not a finite number
   */
  public static Estimate of(double confidence, double... observations) {
    int n = Sample.checked(observations).length;
    double mean = Sample.mean(observations);
    double deviation = Sample.deviation(observations);
    double half = n < 2 ? Double.NaN : halfWidth(confidence, deviation, n);
    return new Estimate(mean, deviation, n, mean - half, mean + half, confidence);
  }

  /** z·s/√n, for tables that print only a deviation. */
  public static double halfWidth(double confidence, double deviation, double n) {
    double z = NORMAL.inverseCumulativeProbability((1 + Sample.checkedConfidence(confidence)) / 2);
    return z * deviation / Math.sqrt(n);
  }
}
