package io.slicewise.stats;

import java.util.OptionalInt;

/**
 * The number of repetitions that gives a mean to within ±e: the least n with t((1+c)/2; n−1)·CV/√n
 * ≤ e, the exact form of n ≈ (t·CV/e)².
 *
 * <p>Source: W. G. Cochran, <i>Sampling Techniques</i> (3rd ed. 1977), section 4.6.
 *
 * <p>Worked example: CV 5 %, e = 3 % at 95 %: n = 13 gives 2.178813·5/√13 = 3.02, n = 14 gives
 * 2.160369·5/√14 = 2.89, so 14.
 */
public final class Repetitions {
  private static final int MOST = 1 << 20;

  private Repetitions() {}

  /**
   * The smallest number, at least 2; empty if unknown ({@code NaN}) or above a million.
   *
   * @param cv scatter of a single repetition, as a share of the mean
   * @param precision wanted half-width of the interval, as a share of the mean
   */
  public static OptionalInt needed(double cv, double precision, double confidence) {
    if (!(precision > 0) || !reaches(MOST, cv, precision, confidence)) {
      return OptionalInt.empty();
    }
    int low = 1;
    int high = 2;
    while (!reaches(high, cv, precision, confidence)) {
      low = high;
      high *= 2;
    }
    while (high - low > 1) {
      int middle = (low + high) / 2;
      if (reaches(middle, cv, precision, confidence)) {
        high = middle;
      } else {
        low = middle;
      }
    }
    return OptionalInt.of(high);
  }

  private static boolean reaches(int n, double cv, double precision, double confidence) {
    return StudentT.factor(confidence, n - 1) * cv / Math.sqrt(n) <= precision;
  }
}
