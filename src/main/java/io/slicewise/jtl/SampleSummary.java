package io.slicewise.jtl;

import java.util.Map;
import org.HdrHistogram.Histogram;

/**
 * All samples of one label, or of all labels, inside a window.
 *
 * @param samples including failed ones
 * @param errors by response code, failed samples only
 * @param meanMillis exact mean response time of all samples; {@code NaN} without samples
 * @param deviationMillis sample standard deviation between requests (not between trials)
 * @param responseTimes in milliseconds, 3 significant digits
 * @param latencies time to first byte in milliseconds, 3 significant digits
 */
public record SampleSummary(
    String label,
    long samples,
    long failed,
    Map<String, Long> errors,
    double meanMillis,
    double deviationMillis,
    long minMillis,
    long maxMillis,
    long receivedBytes,
    long sentBytes,
    Histogram responseTimes,
    Histogram latencies) {
  public SampleSummary {
    errors = Map.copyOf(errors);
  }

  /** Samples that must stand above a percentile's rank before it is worth printing. */
  private static final long SAMPLES_BEYOND = 10;

  /**
   * A percentile of the response time in milliseconds; {@code NaN} when fewer than ten samples lie
   * beyond it (p95 needs 200 samples, p99 1,000).
   */
  public double percentileMillis(double percentile) {
    double beyond = samples * (100 - percentile) / 100;
    return beyond + 1e-9 < SAMPLES_BEYOND
        ? Double.NaN
        : responseTimes.getValueAtPercentile(percentile);
  }
}
