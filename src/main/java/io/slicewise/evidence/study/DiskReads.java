package io.slicewise.evidence.study;

/**
 * What a case read on each layer, in the same unit.
 *
 * @param needed by the database; {@code NaN} when not counted
 * @param guest from the guest's disk
 * @param disk from the disk below
 */
public record DiskReads(double needed, double guest, double disk) {
  private static final double BLOCK_MEBIBYTES = 8.0 / 1024;

  /** The reads of a case that the guest's, the control domain's and the database's cells hold. */
  public static DiskReads of(Cells cells, StudyCell guest) {
    return new DiskReads(
        cells
            .find(guest.of(), "actual")
            .map(cell -> cell.value("data_accessed"))
            .orElse(Double.NaN),
        guest.value("disk_read"),
        cells.find(guest.of(), "dom0").map(cell -> cell.value("disk_read")).orElse(Double.NaN));
  }

  /** M: how many times as much the disk reads as the guest. */
  public double magnification() {
    return disk / guest;
  }

  /** A: how many times as much the guest reads as its database needs. */
  public double amplification() {
    return guest / needed;
  }

  /** MiB of 8-KiB blocks that a database read. */
  public static double needed(double heapBlocks, double indexBlocks) {
    return BLOCK_MEBIBYTES * (heapBlocks + indexBlocks);
  }
}
