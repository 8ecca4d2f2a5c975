package io.slicewise.load.jtl;

import java.util.Map;

/**
 * All samples of one label, or of all labels, inside a window.
 *
 * @param errors by response code, failed samples only
 * @param responseTimes of all samples, including failed ones
 * @param latencies time to first byte, of the samples that have it
 */
public record SampleSummary(
    String label,
    long failed,
    Map<String, Long> errors,
    Distribution responseTimes,
    Distribution latencies,
    long receivedBytes,
    long sentBytes) {
  /** The number of samples above a percentile's rank below which it is not printed. */
  private static final long SAMPLES_BEYOND = 10;

  public SampleSummary {
    errors = Map.copyOf(errors);
  }

  /** The number of samples, including failed ones. */
  public long samples() {
    return responseTimes.count();
  }

  /**
   * A percentile of the response time in milliseconds; {@code NaN} if fewer than ten samples are
   * above it (p95 needs 200 samples, p99 1,000).
   */
  public double percentileMillis(double percentile) {
    double beyond = samples() * (100 - percentile) / 100;
    return beyond + 1e-9 < SAMPLES_BEYOND ? Double.NaN : responseTimes.percentile(percentile);
  }
}
