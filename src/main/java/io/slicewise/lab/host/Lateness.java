package io.slicewise.lab.host;

import io.slicewise.base.units.Phrase;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Base64;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.ConcurrentHistogram;
import org.HdrHistogram.Histogram;

/** The lateness of the lab relative to the simulated machine's schedule, in nanoseconds. */
public final class Lateness {
  /** The limit at the 99th percentile above which the guests' response times are not reliable. */
  public static final long BEARABLE_NANOS = TimeUnit.MILLISECONDS.toNanos(2);

  private static final long GREATEST = TimeUnit.MINUTES.toNanos(1);

  private final Histogram histogram = new ConcurrentHistogram(1, GREATEST, 3);
  private final Histogram sinceBoot = new ConcurrentHistogram(1, GREATEST, 3);

  void record(long nanos) {
    long within = Math.max(0, Math.min(nanos, GREATEST));
    histogram.recordValue(within);
    sinceBoot.recordValue(within);
  }

  /**
   * Returns all values since boot as HdrHistogram's compressed base64. {@link #reset} does not
   * affect them, and the difference of two readings is the lateness in that window.
   */
  public String sinceBoot() {
    Histogram now = sinceBoot.copy();
    ByteBuffer buffer = ByteBuffer.allocate(now.getNeededByteBufferCapacity());
    int length = now.encodeIntoCompressedByteBuffer(buffer);
    return Base64.getEncoder().encodeToString(Arrays.copyOf(buffer.array(), length));
  }

  /** Clears the values that {@link #summary} and the percentiles describe. */
  public void reset() {
    histogram.reset();
  }

  /** Returns the number of recorded values. */
  public long count() {
    return histogram.getTotalCount();
  }

  /** Returns the lateness at a percentile, 0..100. */
  public long atPercentile(double percentile) {
    return histogram.getValueAtPercentile(percentile);
  }

  public boolean acceptable() {
    return atPercentile(99) <= BEARABLE_NANOS;
  }

  /** Returns one sentence for people. */
  public String summary() {
    if (count() == 0) {
      return "lateness: nothing measured yet";
    }
    return Phrase.of(
        "lateness: p50 %.2f ms, p99 %.2f ms, greatest %.1f ms over %d moments%s",
        atPercentile(50) / 1e6,
        atPercentile(99) / 1e6,
        histogram.getMaxValue() / 1e6,
        count(),
        acceptable() ? "" : "; THE LAB CANNOT KEEP UP: response times are not to be believed");
  }
}
