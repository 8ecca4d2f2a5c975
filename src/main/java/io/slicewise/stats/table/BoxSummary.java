package io.slicewise.stats.table;

import io.slicewise.stats.Sample;
import java.util.Arrays;
import org.apache.commons.math3.stat.descriptive.rank.Percentile;
import org.apache.commons.math3.stat.descriptive.rank.Percentile.EstimationType;

/**
 * The five numbers of a box plot: median, quartiles, and whiskers that reach to the farthest
 * observation within 1.5 interquartile ranges of the box.
 *
 * <p>Source: J. W. Tukey, <i>Exploratory Data Analysis</i> (1977), chapter 2; quartiles by linear
 * interpolation (type 7 of Hyndman and Fan 1996), as in {@link TukeyFences}.
 *
 * <p>Worked example: 10, 11, 12, 13, 30: box from 11 to 13, median 12, whiskers at 10 and 13; the
 * 30 is outside.
 *
 * @param low end of the lower whisker, an observation
 * @param high end of the upper whisker, an observation
 */
public record BoxSummary(double low, double q1, double median, double q3, double high) {
  /**
   * The box of these observations.
   *
   * @throws IllegalArgumentException if there are none, or one is not a number
   */
  public static BoxSummary of(double... observations) {
    if (Sample.checked(observations).length == 0) {
      throw new IllegalArgumentException("a box needs at least one observation");
    }
    Percentile quartiles = new Percentile().withEstimationType(EstimationType.R_7);
    quartiles.setData(observations);
    double first = quartiles.evaluate(25);
    double third = quartiles.evaluate(75);
    double reach = 1.5 * (third - first);
    return new BoxSummary(
        Arrays.stream(observations).filter(x -> x >= first - reach).min().orElseThrow(),
        first,
        quartiles.evaluate(50),
        third,
        Arrays.stream(observations).filter(x -> x <= third + reach).max().orElseThrow());
  }
}
