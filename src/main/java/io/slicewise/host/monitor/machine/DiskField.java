package io.slicewise.host.monitor.machine;

import io.slicewise.observe.DiskCounters;
import java.util.OptionalLong;

/** A counter in {@code /proc/diskstats}. */
enum DiskField {
  READS(3, DiskCounters.READS),
  READS_MERGED(4, DiskCounters.READS_MERGED),
  SECTORS_READ(5, DiskCounters.SECTORS_READ),
  READ_MILLIS(6, DiskCounters.READ_MILLIS),
  WRITES(7, DiskCounters.WRITES),
  WRITES_MERGED(8, DiskCounters.WRITES_MERGED),
  SECTORS_WRITTEN(9, DiskCounters.SECTORS_WRITTEN),
  WRITE_MILLIS(10, DiskCounters.WRITE_MILLIS),
  BUSY_MILLIS(12, DiskCounters.BUSY_MILLIS),
  DISCARDS(14, DiskCounters.DISCARDS),
  FLUSHES(18, DiskCounters.FLUSHES),
  FLUSH_MILLIS(19, DiskCounters.FLUSH_MILLIS);

  private static final long WRAP = 1L << 32;

  /** The most requests in flight of any common device. */
  private static final long IN_FLIGHT = 1024;

  private final int column;
  private final String text;

  DiskField(int column, String text) {
    this.column = column;
    this.text = text;
  }

  /** Returns the index of its column. */
  int column() {
    return column;
  }

  /** Returns its name in results. */
  String text() {
    return text;
  }

  /**
   * Returns the growth between two readings; empty if the counter was reset. Times are counted in
   * 32 bits and start again at 0 after 49.7 days of summed waiting; if they went back, that must
   * fit the time between the readings.
   */
  OptionalLong growth(long before, long after, double seconds) {
    if (after >= before) {
      return OptionalLong.of(after - before);
    }
    long wrapped = after + WRAP - before;
    boolean time = text.endsWith("_ms");
    return time && before < WRAP && wrapped <= seconds * 1000 * IN_FLIGHT
        ? OptionalLong.of(wrapped)
        : OptionalLong.empty();
  }
}
