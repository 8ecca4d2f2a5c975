package io.slicewise.stats;

import java.util.Arrays;
import org.apache.commons.math3.distribution.NormalDistribution;

/**
 * The rank test of Mann and Whitney, used as a warning in addition to {@link WelchEffect}: if the
 * two disagree, the distribution of the observations should be examined.
 *
 * <p>U = R − n(n+1)/2 with R the rank sum of the first sample. Two-sided p exactly by counting when
 * there are no ties and a sample has at most eight observations; otherwise by the normal
 * approximation with correction for ties and continuity.
 *
 * <p>Source: H. B. Mann and D. R. Whitney, <i>On a test of whether one of two random variables is
 * stochastically larger than the other</i>, Annals of Mathematical Statistics 18 (1947).
 *
 * <p>Worked example: 1, 2, 3 against 4, 5, 6: U = 0, p = 2 / C(6, 3) = 0.1: with three observations
 * per side, no result is significant at 5 %.
 *
 * @param u of the first sample
 * @param pValue two-sided; {@code NaN} when a sample is empty
 */
public record MannWhitney(double u, double pValue) {
  private static final int EXACT_UP_TO = 8;

  /** The test of two samples, in any order. */
  public static MannWhitney of(double[] first, double[] second) {
    int n = Sample.checked(first).length;
    int m = Sample.checked(second).length;
    if (n == 0 || m == 0) {
      return new MannWhitney(Double.NaN, Double.NaN);
    }
    double u = 0;
    for (double x : first) {
      for (double y : second) {
        u += x > y ? 1 : x == y ? 0.5 : 0;
      }
    }
    double ties = tieTerm(first, second);
    boolean exact = ties == 0 && Math.min(n, m) <= EXACT_UP_TO;
    return new MannWhitney(u, exact ? exactP(u, n, m) : approximateP(u, n, m, ties));
  }

  /** Returns the smallest p that samples of these sizes can have: 2 / C(n + m, n) without ties. */
  public static double leastP(int n, int m) {
    double ways = 1;
    for (int i = 1; i <= n; i++) {
      ways *= (double) (m + i) / i;
    }
    return n == 0 || m == 0 ? Double.NaN : Math.min(1, 2 / ways);
  }

  private static double exactP(double u, int n, int m) {
    double[] ways = waysOfU(n, m);
    double total = Arrays.stream(ways).sum();
    int extreme = (int) Math.round(Math.min(u, (double) n * m - u));
    double tail = Arrays.stream(ways).limit(extreme + 1L).sum();
    return Math.min(1, 2 * tail / total);
  }

  /**
   * The number of the C(n+m, n) orders for each value 0..nm of U: the Gaussian binomial, built by
   * multiplying with (1 − q^(m+i)) and dividing by (1 − q^i) for i = 1..n.
   */
  private static double[] waysOfU(int n, int m) {
    double[] ways = new double[n * m + 1];
    ways[0] = 1;
    for (int i = 1; i <= n; i++) {
      for (int u = ways.length - 1; u >= m + i; u--) {
        ways[u] -= ways[u - m - i];
      }
      for (int u = i; u < ways.length; u++) {
        ways[u] += ways[u - i];
      }
    }
    return ways;
  }

  private static double approximateP(double u, int n, int m, double ties) {
    double all = n + m;
    double variance = n * (double) m / 12 * (all + 1 - ties / (all * (all - 1)));
    if (variance == 0) {
      return 1;
    }
    double z = Math.max(0, Math.abs(u - n * (double) m / 2) - 0.5) / Math.sqrt(variance);
    return 2 * new NormalDistribution(null, 0, 1).cumulativeProbability(-z);
  }

  /** Σ(t³ − t) over groups of equal observations. */
  private static double tieTerm(double[] first, double[] second) {
    double[] all = Arrays.copyOf(first, first.length + second.length);
    System.arraycopy(second, 0, all, first.length, second.length);
    Arrays.sort(all);
    double sum = 0;
    for (int start = 0; start < all.length; ) {
      int end = start;
      while (end < all.length && all[end] == all[start]) {
        end++;
      }
      double t = end - start;
      sum += t * t * t - t;
      start = end;
    }
    return sum;
  }
}
