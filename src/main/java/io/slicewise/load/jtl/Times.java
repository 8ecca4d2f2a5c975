package io.slicewise.load.jtl;

import java.io.Serializable;
import java.util.Arrays;
import java.util.Optional;

/**
 * Counts durations in whole milliseconds. Nearly all response times are below 8,192 ms, with one
 * array cell per millisecond; everything else is computed from the cells at the end. The rest goes
 * to {@link SlowTimes}.
 */
final class Times implements Serializable {
  private static final long serialVersionUID = 1L;

  /** Below this, every millisecond has a cell. */
  static final int EXACT_BELOW = 8192;

  /** A day; a longer duration is damage. */
  static final int LONGEST = 86_400_000;

  private static final int FIRST_SIZE = 256;

  private long[] cells = new long[FIRST_SIZE];

  /** The durations without a cell; {@code null} while there are none, as for most labels. */
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

  /** The distribution; nothing may be counted afterwards. */
  Distribution distribution() {
    return new Distribution(cells, Optional.ofNullable(slow));
  }
}
