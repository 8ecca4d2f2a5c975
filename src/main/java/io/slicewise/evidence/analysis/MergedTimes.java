package io.slicewise.evidence.analysis;

import io.slicewise.run.TrialResult;
import java.util.List;
import java.util.Optional;
import org.HdrHistogram.Histogram;

/**
 * Computes percentiles of several windows of one profile in one session from their merged
 * histograms: all windows of a session may have enough samples for a percentile although each
 * window has too few.
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
    if (metric.percentile().isEmpty()) {
      return Double.NaN;
    }
    double percentile = metric.percentile().get();
    return of(windows)
        .filter(all -> all.getTotalCount() * (100 - percentile) / 100 + 1e-9 >= SAMPLES_BEYOND)
        .map(all -> (double) all.getValueAtPercentile(percentile))
        .orElse(Double.NaN);
  }

  /** Returns the response times of all in milliseconds; empty when one has none. */
  static Optional<Histogram> of(List<TrialResult> windows) {
    List<Histogram> times =
        windows.stream()
            .flatMap(window -> window.load().stream())
            .flatMap(load -> load.responseTimes().stream())
            .toList();
    if (times.isEmpty() || times.size() < windows.size()) {
      return Optional.empty();
    }
    if (times.size() == 1) {
      return Optional.of(times.get(0));
    }
    Histogram all = new Histogram(DIGITS);
    times.forEach(all::add);
    return Optional.of(all);
  }
}
