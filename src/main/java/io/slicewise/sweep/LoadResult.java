package io.slicewise.sweep;

import io.slicewise.jtl.Reduction;
import io.slicewise.stats.Mser5;
import java.util.List;
import java.util.Map;

/**
 * What the samples of a trial's window say. Times are milliseconds; percentiles are {@code NaN}
 * when too few samples stand behind them.
 *
 * @param throughput requests per second: samples ÷ the harness's own window
 * @param labels the same by label, in order of appearance; empty inside a label
 * @param histogram response times as HdrHistogram's compressed base64
 * @param series one entry a second
 * @param steady where the rate settles in the window, by its seconds; too short to tell in a label
 */
public record LoadResult(
    String label,
    long samples,
    long failed,
    Map<String, Long> errors,
    double throughput,
    double meanMillis,
    double deviationMillis,
    double p50Millis,
    double p95Millis,
    double p99Millis,
    long receivedBytes,
    String histogram,
    List<LoadResult> labels,
    List<Reduction.Second> series,
    Mser5 steady) {
  public LoadResult {
    errors = Map.copyOf(errors);
    labels = List.copyOf(labels);
    series = List.copyOf(series);
  }
}
