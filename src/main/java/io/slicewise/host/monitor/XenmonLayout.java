package io.slicewise.host.monitor;

import io.slicewise.host.HypervisorVersion;
import java.util.List;
import java.util.Optional;

/**
 * The columns of a domain's wait in a xenmon row. Xen 4.8 added the vCPU's number to the trace
 * records of a switch without adapting xenbaked: since then the mean wait is in the column of the
 * granted slice, and the wait's own columns sum up vCPU numbers.
 */
enum XenmonLayout {
  /** Up to Xen 4.7: column 11 is the wait, ns a second. */
  WAIT_COLUMN {
    @Override
    double waitRate(XenmonRow row) {
      return row.waitedRate();
    }
  },
  /** Xen 4.8 on: column 7, the mean wait per dispatch, times column 14, dispatches per second. */
  WAIT_PER_DISPATCH {
    @Override
    double waitRate(XenmonRow row) {
      return row.perDispatch() * row.dispatchRate();
    }
  };

  /** A mean wait is longer, since a context switch takes longer; a vCPU's number is smaller. */
  private static final double SHORTEST_WAIT_NANOS = 500;

  /** Nanoseconds waited per second of wall time. */
  abstract double waitRate(XenmonRow row);

  static XenmonLayout of(HypervisorVersion version) {
    return version.atLeast(4, 8) ? WAIT_PER_DISPATCH : WAIT_COLUMN;
  }

  /**
   * The layout the data themselves prove, if they do: column 13 holds either mean waits, which are
   * hundreds of nanoseconds at the least, or mean vCPU numbers, which for the idle domain are the
   * pCPU's.
   */
  static Optional<XenmonLayout> provenBy(List<XenmonRow> rows) {
    if (rows.stream()
        .anyMatch(
            row ->
                row.domain() != XenmonRow.IDLE && row.waitedPerDispatch() >= SHORTEST_WAIT_NANOS)) {
      return Optional.of(WAIT_COLUMN);
    }
    return rows.stream()
        .filter(row -> row.domain() == XenmonRow.IDLE && row.pcpu() > 0)
        .filter(row -> Math.abs(row.waitedPerDispatch() - row.pcpu()) < 1e-3)
        .findAny()
        .map(row -> WAIT_PER_DISPATCH);
  }
}
