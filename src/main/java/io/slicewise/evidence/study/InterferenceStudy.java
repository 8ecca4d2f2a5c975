package io.slicewise.evidence.study;

import io.slicewise.evidence.study.Cells.StudyCell;

/**
 * The cost of neighbours for a guest's reads, by the equations of D. E. Jensen, <i>System-wide
 * Performance Analysis for Virtualization</i> (2014), and by the guest's own wait. Shares are in
 * percent.
 *
 * @param guest the guest's counters with neighbours
 * @param control the control domain's counters with neighbours
 * @param aloneGuest the guest's without neighbours, at the same load
 * @param aloneControl the control domain's without neighbours
 */
public record InterferenceStudy(
    StudyCell guest, StudyCell control, StudyCell aloneGuest, StudyCell aloneControl) {
  private static final String READS = "reads_per_s";
  private static final double ROUNDED = 0.005;
  private static final String TOTAL = "r_total";
  private static final String WAIT = "avgrdwait";

  /** Seconds per read: r_ms / r_total, or as printed if there are no counters. */
  public static double wait(StudyCell cell) {
    return cell.has("r_ms", TOTAL) ? cell.value("r_ms") / cell.value(TOTAL) : cell.value(WAIT);
  }

  /** Overhead_IO: the additional time of a read in the guest; meaningless with neighbours. */
  public static double overhead(StudyCell guest, StudyCell control) {
    return 100 * (wait(guest) / wait(control) - 1);
  }

  /**
   * Interference_RPS: the share of the control domain's reads that are not this guest's; as printed
   * if the reads were not.
   */
  public double reads() {
    if (guest.has("interference_rps") && !control.has(READS)) {
      return guest.value("interference_rps");
    }
    String reads = guest.has(TOTAL) && control.has(TOTAL) ? TOTAL : READS;
    return 100 * (1 - guest.value(reads) / control.value(reads));
  }

  /** Interference_ARW: the share of a read's wait that it does not have alone. */
  public double waits() {
    return 100 * (1 - wait(aloneControl) / wait(control));
  }

  /** Interference_EXT: the smaller of the two if both are positive, otherwise 0. */
  public double external() {
    double least = Math.min(reads(), waits());
    return least > 0 || Double.isNaN(least) ? least : 0;
  }

  /** L = 1 − R_alone / R_now, of the guest's own wait. */
  public double loss() {
    return 100 * (1 - wait(aloneGuest) / wait(guest));
  }

  /** By sectors: the share of the disk's reads that are not this guest's. */
  public double sectors() {
    return 100 * (1 - guest.value("r_sectors") / control.value("r_sectors"));
  }

  /** Reads of the disk / reads of the guest, by sectors. */
  public double magnification() {
    return control.value("r_sectors") / guest.value("r_sectors");
  }

  /** L for writes ({@code w}) or flushes ({@code f}). */
  public double lossOf(String kind) {
    return 100 * (1 - wait(aloneGuest, kind) / wait(guest, kind));
  }

  private static double wait(StudyCell cell, String kind) {
    return cell.value(kind + "_ms") / cell.value(kind + "_total");
  }

  /** The share of all guests' bytes that are not this guest's. */
  public double others() {
    return 100 * control.value("others_share");
  }

  /** The share of the disk's bytes that no guest caused. */
  public double own() {
    return 100 * control.value("own_share");
  }

  /** Overhead_VALL: Overhead_IO with the sums over all guests. */
  public double overheadOfAll() {
    double all = control.value("all_r_ms") / control.value("all_r_total");
    return 100 * (all / wait(control) - 1);
  }

  /** The drop of a rate, such as transactions per second. */
  public double drop(String rate) {
    return 100 * (1 - guest.value(rate) / aloneGuest.value(rate));
  }

  /**
   * X R: the mean number of concurrent reads. A table rounds its rate; its window is then whole
   * seconds if they fit.
   */
  public static double underWay(StudyCell cell) {
    double seconds = cell.value(TOTAL) / cell.value(READS);
    double whole = Math.rint(seconds);
    return Math.abs(whole / seconds - 1) < ROUNDED
        ? cell.value("r_ms") / whole
        : cell.value(READS) * wait(cell);
  }
}
