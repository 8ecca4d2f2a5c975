package io.slicewise.lab.host;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Base64;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.ConcurrentHistogram;
import org.HdrHistogram.Histogram;

/** How late the lab does what the simulated machine should have done, in nanoseconds. */
public final class Lateness {
  /** Above this at the 99th percentile, response times of the guests are not to be believed. */
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
   * Returns everything recorded since the machine booted, which {@link #reset} leaves alone, as
   * HdrHistogram's compressed base64: the difference of two readings is that of a window.
   */
  public String sinceBoot() {
    Histogram now = sinceBoot.copy();
    ByteBuffer buffer = ByteBuffer.allocate(now.getNeededByteBufferCapacity());
    int length = now.encodeIntoCompressedByteBuffer(buffer);
    return Base64.getEncoder().encodeToString(Arrays.copyOf(buffer.array(), length));
  }

  /** Forgets what {@link #summary} and the percentiles are of. */
  public void reset() {
    histogram.reset();
  }

  /** How many moments were recorded. */
  public long count() {
    return histogram.getTotalCount();
  }

  /** The lateness that this percentage of moments did not exceed; 0..100. */
  public long atPercentile(double percentile) {
    return histogram.getValueAtPercentile(percentile);
  }

  public boolean acceptable() {
    return atPercentile(99) <= BEARABLE_NANOS;
  }

  /** One sentence for people. */
  public String summary() {
    if (count() == 0) {
      return "lateness: nothing measured yet";
    }
    return String.format(
        Locale.ROOT,
        "lateness: p50 %.2f ms, p99 %.2f ms, greatest %.1f ms over %d moments%s",
        atPercentile(50) / 1e6,
        atPercentile(99) / 1e6,
        histogram.getMaxValue() / 1e6,
        count(),
        acceptable() ? "" : "; THE LAB CANNOT KEEP UP: response times are not to be believed");
  }
}
