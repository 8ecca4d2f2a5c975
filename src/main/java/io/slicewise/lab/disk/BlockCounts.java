package io.slicewise.lab.disk;

import io.slicewise.base.units.Phrase;
import io.slicewise.lab.disk.SharedDisk.DiskRequest.Kind;
import java.util.EnumMap;
import java.util.Map;

/** The counters of one block device, as kernels keep them. */
final class BlockCounts {
  private static final long SECTOR = 512;
  private static final long WRAP = 1L << 32;
  private static final long NANOS_A_MILLI = 1_000_000;

  private final Map<Kind, Map<Column, Long>> counts = new EnumMap<>(Kind.class);

  private enum Column {
    REQUESTS,
    MERGED,
    BYTES,
    NANOS
  }

  /** Counts a finished request. */
  void add(Kind kind, long bytes, long nanos, boolean merged) {
    Map<Column, Long> of = counts.computeIfAbsent(kind, any -> new EnumMap<>(Column.class));
    of.merge(merged ? Column.MERGED : Column.REQUESTS, 1L, Long::sum);
    of.merge(Column.BYTES, bytes, Long::sum);
    of.merge(Column.NANOS, nanos, Long::sum);
  }

  private long count(Kind kind, Column column) {
    return counts.getOrDefault(kind, Map.of()).getOrDefault(column, 0L);
  }

  long requests(Kind kind) {
    return count(kind, Column.REQUESTS);
  }

  long sectors(Kind kind) {
    return count(kind, Column.BYTES) / SECTOR;
  }

  /**
   * Returns the fields of {@code /proc/diskstats} after the name.
   *
   * @param since where the 32-bit counters of milliseconds began
   */
  String diskstats(int inFlight, long busyNanos, long since) {
    long waited = 0;
    for (Kind kind : Kind.values()) {
      waited += count(kind, Column.NANOS);
    }
    return Phrase.of(
        "%s %s %d %d %d 0 0 0 0 %d %d",
        transfers(Kind.READ, since),
        transfers(Kind.WRITE, since),
        inFlight,
        millis(busyNanos, since),
        millis(waited, since),
        requests(Kind.FLUSH),
        millis(count(Kind.FLUSH, Column.NANOS), since));
  }

  private String transfers(Kind kind, long since) {
    return Phrase.of(
        "%d %d %d %d",
        requests(kind),
        count(kind, Column.MERGED),
        sectors(kind),
        millis(count(kind, Column.NANOS), since));
  }

  private static long millis(long nanos, long since) {
    return (since + nanos / NANOS_A_MILLI) % WRAP;
  }
}
