package io.slicewise.lab.disk;

/**
 * One request to a disk.
 *
 * @param bytes 0 for a flush
 */
public record DiskRequest(Kind kind, long bytes) {
  /** PostgreSQL's block. */
  public static final long PAGE = 8192;

  /** What is asked of the disk. */
  public enum Kind {
    READ,
    WRITE,
    FLUSH
  }

  /** Returns the request for some blocks; none for a flush. */
  public static DiskRequest blocks(Kind kind, int blocks) {
    return new DiskRequest(kind, blocks * PAGE);
  }
}
