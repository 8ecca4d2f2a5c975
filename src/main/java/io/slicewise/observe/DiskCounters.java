package io.slicewise.observe;

import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;

/**
 * The growth of a disk's counters. A counter that its kernel does not have, or that was reset, is
 * missing.
 *
 * @param counts by the names of this class; sectors have 512 bytes
 */
public record DiskCounters(Map<String, Double> counts) {
  public static final String READS = "reads";
  public static final String READS_MERGED = "reads_merged";
  public static final String SECTORS_READ = "sectors_read";

  /** Milliseconds from making a request to its end, summed over all reads. */
  public static final String READ_MILLIS = "read_ms";

  public static final String WRITES = "writes";
  public static final String WRITES_MERGED = "writes_merged";
  public static final String SECTORS_WRITTEN = "sectors_written";
  public static final String WRITE_MILLIS = "write_ms";

  /** Milliseconds with at least one request; sampled by the kernel and therefore rough. */
  public static final String BUSY_MILLIS = "busy_ms";

  public static final String DISCARDS = "discards";
  public static final String FLUSHES = "flushes";
  public static final String FLUSH_MILLIS = "flush_ms";

  private static final double BYTES_A_SECTOR = 512;

  public DiskCounters {
    counts = Collections.unmodifiableMap(new TreeMap<>(counts));
  }

  /** Returns a counter's growth; {@code NaN} if it is not known. */
  public double value(String counter) {
    return counts.getOrDefault(counter, Double.NaN);
  }

  public double bytesRead() {
    return value(SECTORS_READ) * BYTES_A_SECTOR;
  }

  public double bytesWritten() {
    return value(SECTORS_WRITTEN) * BYTES_A_SECTOR;
  }

  /** Returns the mean milliseconds of a read; {@code NaN} without reads. */
  public double readWaitMillis() {
    return value(READS) > 0 ? value(READ_MILLIS) / value(READS) : Double.NaN;
  }

  /** Returns the mean milliseconds of a write; {@code NaN} without writes. */
  public double writeWaitMillis() {
    return value(WRITES) > 0 ? value(WRITE_MILLIS) / value(WRITES) : Double.NaN;
  }
}
