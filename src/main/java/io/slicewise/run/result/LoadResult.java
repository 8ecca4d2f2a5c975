package io.slicewise.run.result;

import io.slicewise.load.jtl.Reduction;
import io.slicewise.stats.Mser5;
import io.slicewise.workload.Turns;
import java.nio.ByteBuffer;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.zip.DataFormatException;
import org.HdrHistogram.Histogram;

/**
 * The results of the samples in a trial's window. Times are in milliseconds; percentiles are {@code
 * NaN} if there are too few samples.
 *
 * @param throughput requests per second: samples ÷ the harness's own window
 * @param labels the results by label, in order of appearance; empty inside a label
 * @param histogram response times as HdrHistogram's compressed base64
 * @param series one entry per second
 * @param counts what throughput and response times refer to, {@code requests} or {@code
 *     transactions}; empty if unknown
 * @param turns the users' turns, if their pauses are measured
 * @param steady where the rate settles in the window, by its seconds; too short in a label
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
    Mser5 steady,
    String counts,
    Optional<Turns> turns) {
  public LoadResult {
    errors = Map.copyOf(errors);
    labels = List.copyOf(labels);
    series = List.copyOf(series);
  }

  /** Returns the same result by another name, with other labels inside. */
  LoadResult of(String name, List<LoadResult> inside) {
    return new LoadResult(
        name,
        samples,
        failed,
        errors,
        throughput,
        meanMillis,
        deviationMillis,
        p50Millis,
        p95Millis,
        p99Millis,
        receivedBytes,
        histogram,
        inside,
        series,
        steady,
        counts,
        turns);
  }

  /** Returns the metric of that name in tables; the share of failed samples for errors. */
  public double value(String metric) {
    return switch (metric) {
      case "throughput" -> throughput;
      case "mean" -> meanMillis;
      case "p50" -> p50Millis;
      case "p95" -> p95Millis;
      case "p99" -> p99Millis;
      case "errors" -> samples == 0 ? Double.NaN : (double) failed / (double) samples;
      default -> throw new IllegalArgumentException("no metric of a load: " + metric);
    };
  }

  /** The response times in milliseconds; empty if none were kept or they cannot be read. */
  public Optional<Histogram> responseTimes() {
    if (histogram.isEmpty()) {
      return Optional.empty();
    }
    try {
      ByteBuffer bytes = ByteBuffer.wrap(Base64.getDecoder().decode(histogram));
      return Optional.of(Histogram.decodeFromCompressedByteBuffer(bytes, 0));
    } catch (DataFormatException | IllegalArgumentException e) {
      return Optional.empty();
    }
  }
}
