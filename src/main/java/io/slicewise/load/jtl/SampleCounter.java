package io.slicewise.load.jtl;

import io.slicewise.base.units.Window;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Counts samples that do not come from a file, by the same rules: by their end, in whole
 * milliseconds, all successful. Not thread-safe.
 */
public final class SampleCounter {
  private final Window window;
  private final long start;
  private final long end;
  private final int length;
  private final Map<String, Tally> tallies = new LinkedHashMap<>();
  private final Seconds seconds = new Seconds(Reduction.LONGEST_SERIES);
  private long outside;

  /**
   * Counts samples that end inside the window; the window's start is the start of its first second.
   */
  public SampleCounter(Window window) {
    this.window = window;
    this.start = window.start().toEpochMilli();
    this.end = window.end().toEpochMilli();
    this.length = (int) window.length().plus(Duration.ofNanos(999_999_999)).toSeconds();
  }

  /**
   * Adds a sample.
   *
   * @param users active when it ended
   */
  public void add(String label, long startMillis, long endMillis, int users) {
    if (endMillis < start || endMillis >= end) {
      outside++;
      return;
    }
    int elapsed = (int) (endMillis - startMillis);
    tallies.computeIfAbsent(label, Tally::new).add(elapsed, Row.UNKNOWN, 0, 0);
    seconds.add((endMillis - start) / 1000, elapsed, true, users);
  }

  public Reduction reduction() {
    Tally total = new Tally("total");
    tallies.values().forEach(total::add);
    return new Reduction(
        window,
        total.summary(),
        tallies.values().stream().map(Tally::summary).toList(),
        length > Reduction.LONGEST_SERIES ? List.of() : seconds.series(0, length),
        new Reduction.LeftOut(outside, 0, 0, 0, 0, false, Overlaps.NONE),
        List.of(),
        List.of());
  }
}
