package io.slicewise.load.jtl;

import io.slicewise.base.units.Window;
import java.time.Duration;
import java.util.List;

/**
 * Counts samples that do not come from a file, by the same rules: by their end, in whole
 * milliseconds, all successful and of one label. Not thread-safe.
 */
public final class SampleCounter {
  private final Window window;
  private final long start;
  private final long end;
  private final int length;
  private final Tally tally;
  private final Seconds seconds = new Seconds(Reduction.LONGEST_SERIES);
  private long outside;

  /**
   * Counts samples that end inside the window; the window's start is the start of its first second.
   */
  public SampleCounter(String label, Window window) {
    this.window = window;
    this.start = window.start().toEpochMilli();
    this.end = window.end().toEpochMilli();
    this.length = (int) window.length().plus(Duration.ofNanos(999_999_999)).toSeconds();
    this.tally = new Tally(label);
  }

  /**
   * Adds a sample.
   *
   * @param users active when it ended
   */
  public void add(long startMillis, long endMillis, int users) {
    if (endMillis < start || endMillis >= end) {
      outside++;
      return;
    }
    int elapsed = (int) (endMillis - startMillis);
    tally.add(elapsed, Row.UNKNOWN, 0, 0);
    seconds.add((endMillis - start) / 1000, elapsed, true, users);
  }

  public Reduction reduction() {
    Tally total = new Tally("total");
    total.add(tally);
    SampleSummary summary = tally.summary();
    return new Reduction(
        window,
        total.summary(),
        List.of(summary),
        length > Reduction.LONGEST_SERIES ? List.of() : seconds.series(0, length),
        new Reduction.LeftOut(outside, 0, 0, 0, 0, false, Overlaps.NONE),
        List.of(),
        List.of());
  }
}
