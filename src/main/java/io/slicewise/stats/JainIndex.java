package io.slicewise.stats;

import java.util.Arrays;

/**
 * Jain's fairness index of shares: (Σx)² / (n·Σx²); 1 when all get the same, 1/n when one gets all.
 *
 * <p>Source: R. Jain, D. Chiu and W. Hawe, <i>A quantitative measure of fairness and discrimination
 * for resource allocation in shared computer systems</i>, DEC-TR-301 (1984).
 *
 * <p>Worked example: 1, 2, 3: 6² / (3 · 14) = 0.857143.
 */
public final class JainIndex {
  private JainIndex() {}

  /**
   * The index; {@code NaN} if all shares are 0.
   *
   * @throws IllegalArgumentException if a share is negative or not a number
   */
  public static double of(double... shares) {
    for (double share : Sample.checked(shares)) {
      if (share < 0) {
        throw new IllegalArgumentException("a share is not negative: " + share);
      }
    }
    double sum = Arrays.stream(shares).sum();
    double squares = Arrays.stream(shares).map(x -> x * x).sum();
    return squares == 0 ? Double.NaN : sum * sum / (shares.length * squares);
  }
}
