package io.slicewise.load.jtl;

import java.util.Arrays;
import java.util.Optional;

/**
 * Counts durations in whole milliseconds. Nearly all response times lie below 8,192 ms; so those
 * are one array cell a millisecond, and all there is to know of them is worked out of the cells at
 * the end. The rest goes through HdrHistogram.
 */
final class Times {
  /** Below this, every millisecond has a cell. */
  static final int EXACT_BELOW = 8192;

  /** A day; whoever waits longer is a damaged row. */
  static final int LONGEST = 86_400_000;

  private static final int FIRST_SIZE = 256;

  private long[] cells = new long[FIRST_SIZE];

  /** Of those that no cell holds; {@code null} while there are none, as in most labels. */
  private SlowTimes slow;

  /**
   * @param millis 0 to {@link #LONGEST}
   */
  void record(int millis) {
    if (millis < cells.length) {
      cells[millis]++;
    } else {
      recordLarge(millis);
    }
  }

  private void recordLarge(int millis) {
    if (millis < EXACT_BELOW) {
      cells = Arrays.copyOf(cells, 2 * Integer.highestOneBit(millis));
      cells[millis]++;
      return;
    }
    if (slow == null) {
      slow = new SlowTimes();
    }
    slow.record(millis);
  }

  void add(Times other) {
    if (other.cells.length > cells.length) {
      cells = Arrays.copyOf(cells, other.cells.length);
    }
    for (int millis = 0; millis < other.cells.length; millis++) {
      cells[millis] += other.cells[millis];
    }
    if (other.slow != null) {
      slow = slow == null ? new SlowTimes() : slow;
      slow.add(other.slow);
    }
  }

  /** What was counted; nothing may be counted after. */
  Distribution distribution() {
    return new Distribution(cells, Optional.ofNullable(slow));
  }
}
