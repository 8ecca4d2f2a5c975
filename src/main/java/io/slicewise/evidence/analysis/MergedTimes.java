package io.slicewise.evidence.analysis;

import io.slicewise.run.LoadResult;
import io.slicewise.run.TrialResult;
import java.util.List;
import java.util.Optional;
import org.HdrHistogram.Histogram;

/**
 * Percentiles of several windows of one profile in one session, by their merged histograms: where
 * single windows have too few samples for a percentile, all of a session's may have enough.
 */
final class MergedTimes {
  /** The number of samples that must lie beyond a percentile, as in a single trial. */
  private static final double SAMPLES_BEYOND = 10;

  private static final int DIGITS = 3;

  private MergedTimes() {}

  /**
   * Returns the percentile in milliseconds; {@code NaN} for another metric, when too few samples
   * lie beyond it, or when a histogram is missing.
   */
  static double percentile(List<TrialResult> windows, Metric metric) {
    double percentile =
        switch (metric) {
          case P50 -> 50;
          case P95 -> 95;
          case P99 -> 99;
          case THROUGHPUT, MEAN, ERRORS -> Double.NaN;
        };
    if (Double.isNaN(percentile)) {
      return Double.NaN;
    }
    Histogram all = new Histogram(DIGITS);
    for (TrialResult window : windows) {
      Optional<Histogram> times = window.load().flatMap(LoadResult::responseTimes);
      if (times.isEmpty()) {
        return Double.NaN;
      }
      all.add(times.get());
    }
    boolean enough = all.getTotalCount() * (100 - percentile) / 100 + 1e-9 >= SAMPLES_BEYOND;
    return enough ? all.getValueAtPercentile(percentile) : Double.NaN;
  }
}
