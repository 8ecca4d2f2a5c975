package io.slicewise.host.monitor;

import io.slicewise.observe.DiskCounters;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

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

  private static final Pattern DIRECTORY = Pattern.compile("vbd-(\\d{1,5})-(\\d{1,9})");
  private static final int EXTENDED = 1 << 28;
  private static final int XVD_MAJOR = 202;
  private static final int LETTERS = 26;

  private Backends() {}

  /**
   * Returns the guest and its disk, such as {@code db/xvda}, for a directory such as {@code
   * vbd-3-51712}; the directory itself if its guest is not known.
   */
  static String name(String directory, Map<Integer, String> domains) {
    Matcher parts = DIRECTORY.matcher(directory);
    if (!parts.matches()) {
      return directory;
    }
    String guest = domains.get(Integer.parseInt(parts.group(1)));
    return guest == null ? directory : guest + "/" + device(Integer.parseInt(parts.group(2)));
  }

  /**
   * Returns a guest's name for a virtual device number: {@code xvda} for 51712. Its upper bits are
   * the major number; the lower ones, the disk and its partition.
   */
  static String device(int number) {
    boolean extended = (number & EXTENDED) != 0;
    if (!extended && number >> 8 != XVD_MAJOR) {
      return Integer.toString(number);
    }
    int disk = extended ? (number & 0xfffff) >> 8 : (number & 0xff) >> 4;
    int partition = extended ? number & 0xff : number & 0xf;
    String letters =
        disk < LETTERS
            ? String.valueOf((char) ('a' + disk))
            : "" + (char) ('a' + disk / LETTERS - 1) + (char) ('a' + disk % LETTERS);
    return "xvd" + letters + (partition == 0 ? "" : partition);
  }

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
