package io.slicewise.stats;

import org.apache.commons.math3.stat.correlation.PearsonsCorrelation;
import org.apache.commons.math3.stat.correlation.SpearmansCorrelation;

/**
 * The correlation of two properties of the same cases: Pearson's r of their values and Spearman's
 * of their ranks (ties get mean ranks).
 *
 * <p>Source of the interval: R. A. Fisher, <i>On the "probable error" of a coefficient of
 * correlation</i>, Metron 1 (1921): tanh(artanh r ± z(0.975)/√(n − 3)). Valid for independent cases
 * drawn from a bivariate normal distribution; chosen cases, such as a benchmark's queries, are not.
 *
 * <p>Worked example: r = 0.90 of 22 cases: artanh r = 1.472, half-width 0.450, so 0.77 to 0.96.
 *
 * @param low end of the 95 % interval of {@code pearson}; {@code NaN} for fewer than four cases
 */
public record Correlation(double pearson, double spearman, int n, double low, double high) {
  private static final double Z = 1.959963984540054;

  /**
   * The correlation of pairs.
   *
   * @throws IllegalArgumentException if there are fewer than two pairs, or a side is longer
   */
  public static Correlation of(double[] x, double[] y) {
    if (x.length != y.length || x.length < 2) {
      throw new IllegalArgumentException(
          "a correlation needs at least two pairs, not %d and %d observations"
              .formatted(x.length, y.length));
    }
    Sample.checked(x);
    Sample.checked(y);
    double pearson = new PearsonsCorrelation().correlation(x, y);
    double half = x.length > 3 ? Z / Math.sqrt(x.length - 3) : Double.NaN;
    double middle = 0.5 * Math.log((1 + pearson) / (1 - pearson));
    return new Correlation(
        pearson,
        new SpearmansCorrelation().correlation(x, y),
        x.length,
        Math.tanh(middle - half),
        Math.tanh(middle + half));
  }
}
