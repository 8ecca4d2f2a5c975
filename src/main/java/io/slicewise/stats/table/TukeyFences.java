package io.slicewise.stats.table;

import io.slicewise.stats.Sample;
import java.util.ArrayList;
import java.util.List;

/**
 * Finds outliers: observations below Q1 − 1.5·IQR or above Q3 + 1.5·IQR. They are reported and
 * kept; no observation is removed for being an outlier.
 *
 * <p>Source: J. W. Tukey, <i>Exploratory Data Analysis</i> (1977), chapter 2; quartiles by linear
 * interpolation (type 7 of Hyndman and Fan 1996).
 *
 * <p>Worked example: 10, 11, 12, 13, 30: Q1 = 11, Q3 = 13, fences 8 and 16, so the 30 is reported.
 */
public final class TukeyFences {
  private static final int FEWEST = 5;

  private TukeyFences() {}

  /**
   * The positions (0-based) of observations outside the fences. Empty for fewer than five
   * observations, whose quartiles are observations themselves.
   */
  public static List<Integer> outside(double... observations) {
    List<Integer> found = new ArrayList<>();
    if (Sample.checked(observations).length < FEWEST) {
      return found;
    }
    BoxSummary box = BoxSummary.of(observations);
    for (int i = 0; i < observations.length; i++) {
      if (observations[i] < box.low() || observations[i] > box.high()) {
        found.add(i);
      }
    }
    return found;
  }
}
