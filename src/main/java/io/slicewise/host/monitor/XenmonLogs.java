package io.slicewise.host.monitor;

import io.slicewise.base.units.Phrase;
import io.slicewise.base.units.Window;
import io.slicewise.host.Domain;
import io.slicewise.host.HostDescription;
import io.slicewise.host.HypervisorVersion;
import io.slicewise.host.monitor.XenmonLog.XenmonRow;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** Reduces the logs of one xenmon run, with all notes for the reader. */
final class XenmonLogs {
  /** Seconds at the ends of a window that whole passes may leave uncovered. */
  private static final double EDGES = 2;

  private XenmonLogs() {}

  static MonitorResult reduce(
      List<XenmonLog> logs,
      HostDescription host,
      Instant zero,
      Window window,
      List<Domain> domains,
      List<String> remarks) {
    List<String> warnings = new ArrayList<>(remarks);
    logs.forEach(log -> warnings.addAll(log.damage().sentences(log.name())));
    List<XenmonRow> rows = logs.stream().flatMap(log -> log.rows().stream()).toList();
    XenmonLayout layout = layout(host, rows, warnings);
    XenmonReduction reduction =
        new XenmonReduction(XenmonPasses.of(logs), layout, zero, window, domains.size());
    Window covered = reduction.covered();
    if (covered.length().isZero()) {
      warnings.add(
          rows.isEmpty()
              ? "xenmon left no readable record"
              : "none of xenmon's records is in the measured window");
    } else if (window.seconds() - covered.seconds() > Math.max(EDGES, 0.02 * window.seconds())) {
      warnings.add(
          Phrase.of("xenmon's records cover %.1f of %.1f s", covered.seconds(), window.seconds()));
    }
    List<DomainShares> shares = domains.stream().map(reduction::shares).toList();
    warnings.addAll(strangers(rows, domains));
    warnings.addAll(Accounting.overCommitted(shares, host.pcpus()));
    return new MonitorResult("xenmon", covered, shares, reduction.series(domains), warnings);
  }

  /** The layout of the version, unless the data clearly show the other one. */
  private static XenmonLayout layout(
      HostDescription host, List<XenmonRow> rows, List<String> warnings) {
    XenmonLayout byVersion = XenmonLayout.of(host.version());
    XenmonLayout proven = XenmonLayout.provenBy(rows).orElse(byVersion);
    if (proven == byVersion) {
      return byVersion;
    }
    warnings.add(
        ("xenmon of Xen %s should have the wait in column %s, but its logs show it in"
                + " column %s, which was used")
            .formatted(
                host.version(),
                byVersion == XenmonLayout.WAIT_COLUMN ? "11" : "7",
                proven == XenmonLayout.WAIT_COLUMN ? "11" : "7"));
    return proven;
  }

  private static List<String> strangers(List<XenmonRow> rows, List<Domain> domains) {
    TreeSet<Integer> unknown =
        rows.stream()
            .map(XenmonRow::domain)
            .filter(id -> id != XenmonRow.IDLE)
            .filter(id -> domains.stream().noneMatch(domain -> domain.id() == id))
            .collect(Collectors.toCollection(TreeSet::new));
    return unknown.stream()
        .map(id -> "domain " + id + " ran but was not listed when the watch began")
        .toList();
  }

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
        return row.waits().column11();
      }
    },
    /**
     * From Xen 4.8: column 7, the mean wait per dispatch, times column 14, dispatches per second.
     */
    WAIT_PER_DISPATCH {
      @Override
      double waitRate(XenmonRow row) {
        return row.waits().column7() * row.dispatchRate();
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
     * Returns the layout if the data determine it: column 13 contains either mean waits, which are
     * at least hundreds of nanoseconds, or mean vCPU numbers, which for the idle domain are the
     * pCPU's.
     */
    static Optional<XenmonLayout> provenBy(List<XenmonRow> rows) {
      if (rows.stream()
          .anyMatch(
              row ->
                  row.domain() != XenmonRow.IDLE
                      && row.waits().column13() >= SHORTEST_WAIT_NANOS)) {
        return Optional.of(WAIT_COLUMN);
      }
      return rows.stream()
          .filter(row -> row.domain() == XenmonRow.IDLE && row.pcpu() > 0)
          .filter(row -> Math.abs(row.waits().column13() - row.pcpu()) < 1e-3)
          .findAny()
          .map(row -> WAIT_PER_DISPATCH);
    }
  }
}
