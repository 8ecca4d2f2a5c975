package io.slicewise.host.monitor;

import io.slicewise.host.HypervisorVersion;
import java.util.List;
import java.util.Optional;

/**
 * The columns of a domain's wait in a xenmon row. Xen 4.8 added the vCPU's number to the trace
 * records of a switch without adapting xenbaked: since then the column of the granted slice
 * contains the mean wait, and the wait columns contain sums of vCPU numbers.
 */
enum XenmonLayout {
  /** Up to Xen 4.7: column 11 is the wait, ns per second. */
  WAIT_COLUMN {
    @Override
    double waitRate(XenmonRow row) {
      return row.waitedRate();
    }
  },
  /** From Xen 4.8: column 7, the mean wait per dispatch, times column 14, dispatches per second. */
  WAIT_PER_DISPATCH {
    @Override
    double waitRate(XenmonRow row) {
      return row.perDispatch() * row.dispatchRate();
    }
  };

  /** Mean waits are longer, since a context switch takes longer; vCPU numbers are smaller. */
  private static final double SHORTEST_WAIT_NANOS = 500;

  /** Returns the wait in nanoseconds per second of wall time. */
  abstract double waitRate(XenmonRow row);

  static XenmonLayout of(HypervisorVersion version) {
    return version.atLeast(4, 8) ? WAIT_PER_DISPATCH : WAIT_COLUMN;
  }

  /**
   * Returns the layout if the data determine it: column 13 contains either mean waits, which are at
   * least hundreds of nanoseconds, or mean vCPU numbers, which for the idle domain are the pCPU's.
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
