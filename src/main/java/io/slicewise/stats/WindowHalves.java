package io.slicewise.stats;

import java.util.ArrayList;
import java.util.List;

/**
 * How a metric changes from the first to the second half of windows, by setting: the mean of
 * ln(second / first) with Student's t, the scatter pooled over settings, at 95 % for all settings
 * together (Bonferroni). A window whose beginning still shows the setting before it changes.
 *
 * <p>Source: G. E. P. Box, W. G. Hunter and J. S. Hunter, <i>Statistics for Experimenters</i> (2nd
 * ed. 2005), section 4.1, on the pooled deviation of a one-way layout.
 *
 * <p>Worked example: one setting with 0.01, 0.03: mean 0.02, s = 0.014142, t(0.975; 1) = 12.7062,
 * half-width 0.127062.
 */
public final class WindowHalves {
  private static final double CONFIDENCE = 0.95;

  private WindowHalves() {}

  /**
   * The change of one setting's windows.
   *
   * @param setting its place in the list given
   * @param low lower end of the simultaneous 95 % interval, on logarithms
   */
  public record Shift(int setting, double logRatio, double low, double high) {}

  /**
   * Returns the change of each setting that has a window; empty where nothing scatters twice.
   *
   * @param settings ln(second / first) by setting and window
   */
  public static List<Shift> of(List<double[]> settings) {
    double squares = 0;
    int freedom = 0;
    int known = 0;
    for (double[] changes : settings) {
      double deviation = Sample.deviation(Sample.checked(changes));
      squares += changes.length > 1 ? deviation * deviation * (changes.length - 1) : 0;
      freedom += Math.max(0, changes.length - 1);
      known += changes.length > 0 ? 1 : 0;
    }
    if (freedom == 0) {
      return List.of();
    }
    double scatter = Math.sqrt(squares / freedom);
    double factor = StudentT.factor(1 - (1 - CONFIDENCE) / known, freedom);
    List<Shift> shifts = new ArrayList<>();
    for (int setting = 0; setting < settings.size(); setting++) {
      int windows = settings.get(setting).length;
      if (windows > 0) {
        double mean = Sample.mean(settings.get(setting));
        double half = factor * scatter / Math.sqrt(windows);
        shifts.add(new Shift(setting, mean, mean - half, mean + half));
      }
    }
    return List.copyOf(shifts);
  }
}
