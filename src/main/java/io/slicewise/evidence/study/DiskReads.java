package io.slicewise.evidence.study;

/**
 * The amount read by a case on each layer, in the same unit.
 *
 * @param needed by the database; {@code NaN} if not counted
 * @param guest from the guest's disk
 * @param disk from the physical disk
 */
public record DiskReads(double needed, double guest, double disk) {
  private static final double BLOCK_MEBIBYTES = 8.0 / 1024;

  /** The reads of a case, from the cells of the guest, the control domain and the database. */
  public static DiskReads of(Cells cells, StudyCell guest) {
    return new DiskReads(
        cells.find(guest.of(), "actual").map(DiskReads::needed).orElse(Double.NaN),
        guest.value("disk_read"),
        cells.find(guest.of(), "dom0").map(cell -> cell.value("disk_read")).orElse(Double.NaN));
  }

  private static double needed(StudyCell actual) {
    return actual.has("data_accessed")
        ? actual.value("data_accessed")
        : needed(actual.value("heap_blocks_read"), actual.value("index_blocks_read"));
  }

  /** M: reads from the disk / reads of the guest. */
  public double magnification() {
    return disk / guest;
  }

  /** A: reads of the guest / reads needed by its database. */
  public double amplification() {
    return guest / needed;
  }

  /** The MiB of 8-KiB blocks that a database read. */
  public static double needed(double heapBlocks, double indexBlocks) {
    return BLOCK_MEBIBYTES * (heapBlocks + indexBlocks);
  }
}
