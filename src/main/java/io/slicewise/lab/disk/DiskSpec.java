package io.slicewise.lab.disk;

import java.time.Duration;

/**
 * The disk that the guests of a lab share, and how their databases use it.
 *
 * @param seek mean of the exponential time that a request takes before its bytes
 * @param megabytes per second
 * @param workingSet size of a guest's database, in memories of the guest; up to 1, nothing is read
 * @param readAhead how many times as much the control domain reads as its guests ask for
 * @param merged share of the requests that the control domain merges with the one before
 */
public record DiskSpec(
    Duration seek, double megabytes, double workingSet, int readAhead, double merged) {
  /** A disk that takes no time, for databases that fit into memory. */
  public static final DiskSpec INSTANT = new DiskSpec(Duration.ZERO, 1e9, 1, 1, 0);

  public DiskSpec {
    if (seek.isNegative() || !(megabytes > 0) || !(workingSet > 0) || readAhead < 1) {
      throw new IllegalArgumentException("a disk needs a rate, a working set and a read-ahead");
    }
    if (!(merged >= 0 && merged < 1)) {
      throw new IllegalArgumentException("the share of merged requests is in 0..1");
    }
  }

  /** Returns the disk without a control domain above it. */
  public DiskSpec direct() {
    return new DiskSpec(seek, megabytes, workingSet, 1, 0);
  }
}
