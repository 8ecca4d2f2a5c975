package io.slicewise.host.monitor;

import io.slicewise.observe.DiskCounters;
import java.util.Map;
import java.util.TreeMap;

/** The statistics of blkback, the kernel's backend of guests' disks. */
final class Backends {
  /** Its files under the names of a disk's counters; it counts no times and no merges. */
  private static final Map<String, String> NAMES =
      Map.of(
          "rd_req", DiskCounters.READS,
          "rd_sect", DiskCounters.SECTORS_READ,
          "wr_req", DiskCounters.WRITES,
          "wr_sect", DiskCounters.SECTORS_WRITTEN,
          "f_req", DiskCounters.FLUSHES,
          "ds_req", DiskCounters.DISCARDS);

  private Backends() {}

  /** Returns the growth of a backend's counters; those that went backwards are left out. */
  static DiskCounters counters(Map<String, Long> before, Map<String, Long> after) {
    Map<String, Double> counts = new TreeMap<>();
    after.forEach(
        (file, now) -> {
          Long earlier = before.get(file);
          if (NAMES.containsKey(file) && earlier != null && now >= earlier) {
            counts.put(NAMES.get(file), (double) (now - earlier));
          }
        });
    return new DiskCounters(counts);
  }
}
