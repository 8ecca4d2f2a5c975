package io.slicewise.load.jtl;

import io.slicewise.base.units.Percentile;
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
  public SampleSummary {
    errors = Map.copyOf(errors);
  }

  /** The number of samples, including failed ones. */
  public long samples() {
    return responseTimes.count();
  }

  /**
   * A percentile of the response time in milliseconds; {@code NaN} with too few samples for it, or
   * if not all times are known.
   */
  public double percentileMillis(double percentile) {
    return !responseTimes.isKnown() || samples() < new Percentile(percentile).samples()
        ? Double.NaN
        : responseTimes.percentile(percentile);
  }
}
