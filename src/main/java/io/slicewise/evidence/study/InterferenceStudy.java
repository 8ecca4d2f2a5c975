package io.slicewise.evidence.study;

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
  private static final String WAIT = "avgrdwait";

  /** Seconds per read: r_ms / r_total, or as printed if there are no counters. */
  public static double wait(StudyCell cell) {
    return cell.has("r_ms", "r_total")
        ? cell.value("r_ms") / cell.value("r_total")
        : cell.value(WAIT);
  }

  /** Overhead_IO: the additional time of a read in the guest; meaningless with neighbours. */
  public static double overhead(StudyCell guest, StudyCell control) {
    return 100 * (wait(guest) / wait(control) - 1);
  }

  /** Interference_RPS: the share of the control domain's reads that are not this guest's. */
  public double reads() {
    return 100 * (1 - guest.value(READS) / control.value(READS));
  }

  /** Interference_ARW: the share of a read's wait that it does not have alone. */
  public double waits() {
    return 100 * (1 - wait(aloneControl) / wait(control));
  }

  /** Interference_EXT: the smaller of the two if both are positive, otherwise 0. */
  public double external() {
    return reads() > 0 && waits() > 0 ? Math.min(reads(), waits()) : 0;
  }

  /** L = 1 − R_alone / R_now, of the guest's own wait. */
  public double loss() {
    return 100 * (1 - wait(aloneGuest) / wait(guest));
  }

  /** By sectors: the share of the disk's reads that are not this guest's. */
  public double sectors() {
    return 100 * (1 - guest.value("r_sectors") / control.value("r_sectors"));
  }

  /** The drop of a rate, such as transactions per second. */
  public double drop(String rate) {
    return 100 * (1 - guest.value(rate) / aloneGuest.value(rate));
  }

  /** X R: the mean number of concurrent reads. */
  public static double underWay(StudyCell cell) {
    return cell.value(READS) * wait(cell);
  }
}
