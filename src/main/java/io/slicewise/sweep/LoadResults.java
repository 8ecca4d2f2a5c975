package io.slicewise.sweep;

import io.slicewise.jtl.Reduction;
import io.slicewise.jtl.SampleSummary;
import io.slicewise.stats.Mser5;
import io.slicewise.units.Window;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import org.HdrHistogram.Histogram;

/** Turns a reduction of raw samples into what a trial keeps of it. */
final class LoadResults {
  private LoadResults() {}

  static LoadResult of(Reduction reduction, Window window) {
    List<LoadResult> labels =
        reduction.labels().stream().map(label -> one(label, window, List.of(), List.of())).toList();
    return one(reduction.total(), window, labels, reduction.series());
  }

  /**
   * Samples in each whole second of the window. A window ends moments after its last whole second,
   * and what is left of it would pass for a second in which next to nothing was answered.
   */
  static List<Long> wholeSeconds(List<Reduction.Second> series, Window window) {
    return series.stream()
        .limit(window.length().toSeconds())
        .map(Reduction.Second::samples)
        .toList();
  }

  private static LoadResult one(
      SampleSummary summary,
      Window window,
      List<LoadResult> labels,
      List<Reduction.Second> series) {
    return new LoadResult(
        summary.label(),
        summary.samples(),
        summary.failed(),
        summary.errors(),
        summary.samples() / window.seconds(),
        summary.responseTimes().mean(),
        summary.responseTimes().deviation(),
        summary.percentileMillis(50),
        summary.percentileMillis(95),
        summary.percentileMillis(99),
        summary.receivedBytes(),
        encode(summary.responseTimes().histogram()),
        labels,
        series,
        Mser5.of(wholeSeconds(series, window).stream().mapToDouble(Long::doubleValue).toArray()));
  }

  private static String encode(Histogram histogram) {
    ByteBuffer buffer = ByteBuffer.allocate(histogram.getNeededByteBufferCapacity());
    int length = histogram.encodeIntoCompressedByteBuffer(buffer);
    return Base64.getEncoder().encodeToString(Arrays.copyOf(buffer.array(), length));
  }
}
