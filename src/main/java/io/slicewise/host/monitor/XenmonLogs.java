package io.slicewise.host.monitor;

import io.slicewise.base.units.Phrase;
import io.slicewise.base.units.Window;
import io.slicewise.host.Domain;
import io.slicewise.host.HostDescription;
import io.slicewise.host.HypervisorVersion;
import io.slicewise.host.monitor.XenmonLog.XenmonRow;
import io.slicewise.observe.Observation.Reading;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

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

  /**
   * Reduces the passes of a xenmon run to shares in a window.
   *
   * <p>The first pass is dropped: its rates are diluted, because its time counts from the start of
   * the trace. A pass belongs to the window if its middle does, weighted by its duration.
   *
   * <p>Contents of a row: Column 4 is the CPU time of all vCPUs of a domain on one pCPU, so the sum
   * over pCPUs is the domain's. The wait is added up from the hypervisor's own per-dispatch
   * figures, so its sum is the domain's too, whatever the number of vCPUs; a wait counts when it
   * ends, so a wait in progress at the end of the window is not included. Column 8 (blocked) marks
   * a whole domain by any one vCPU and overlaps the wait when another pCPU does the waking; it is
   * only a cross-check, and only where one vCPU stayed on one pCPU. Waits are recorded in 32 bits:
   * longer waits than 4.29 s are recorded too short by a multiple of that, undetectably.
   */
  private static final class XenmonReduction {
    /** Slots of xenbaked; the idle domain takes one. */
    private static final int DOMAIN_SLOTS = 32;

    private static final double NANOS = 1e9;
    private static final double MICROS = 1e6;
    private static final double CROSS_CHECK = 0.02;

    private final XenmonPasses passes;
    private final XenmonLayout layout;
    private final Instant zero;
    private final Window window;
    private final int[] inside;
    private final int slotsNeeded;

    /**
     * @param zero when xenmon's clock was at 0, by the harness's clock
     */
    XenmonReduction(
        XenmonPasses passes, XenmonLayout layout, Instant zero, Window window, int domains) {
      this.passes = passes;
      this.layout = layout;
      this.zero = zero;
      this.window = window;
      this.slotsNeeded = domains + 1;
      this.inside =
          IntStream.range(1, passes.count())
              .filter(pass -> window.contains(at((start(pass) + end(pass)) / 2)))
              .toArray();
    }

    /** Returns the part of the window from the first to the last pass used; empty if none is. */
    Window covered() {
      if (inside.length == 0) {
        return new Window(window.start(), window.start());
      }
      Instant from = at(start(inside[0]));
      Instant to = at(end(inside[inside.length - 1]));
      return Accounting.covered(from, to, window);
    }

    DomainShares shares(Domain domain) {
      if (domain.vcpus() < 1) {
        return Accounting.unknown(domain, "has no vCPU online");
      }
      int[] known = IntStream.of(inside).filter(pass -> passes.known(domain.id(), pass)).toArray();
      List<XenmonRow> rows =
          IntStream.of(known).boxed().flatMap(p -> passes.rowsOf(domain.id(), p).stream()).toList();
      if (known.length == 0) {
        return Accounting.unknown(domain, "no readable record in the window");
      }
      if (rows.isEmpty() && slotsNeeded > DOMAIN_SLOTS) {
        return Accounting.unknown(
            domain, "xenmon follows 31 domains, the host has more, and this one is not among them");
      }
      double seconds = IntStream.of(known).mapToDouble(this::seconds).sum();
      double run = 0;
      double wait = 0;
      for (int pass : known) {
        run += runShare(domain, pass) * seconds(pass) / seconds;
        wait += waitShare(domain, pass) * seconds(pass) / seconds;
      }
      return Accounting.shares(
              domain,
              run,
              rows.isEmpty() ? Double.NaN : wait,
              notes(domain, known, rows, run, wait))
          .with(others(domain, known, rows, seconds, wait));
    }

    /** Returns what xenmon counts beside the time: of all pCPUs together. */
    private List<Reading> others(
        Domain domain, int[] known, List<XenmonRow> rows, double seconds, double wait) {
      if (rows.isEmpty()) {
        return List.of();
      }
      double dispatches = 0;
      double requests = 0;
      for (int pass : known) {
        for (XenmonRow row : passes.rowsOf(domain.id(), pass)) {
          dispatches += row.dispatchRate() * seconds(pass) / seconds;
          requests += row.ioRate() * seconds(pass) / seconds;
        }
      }
      List<Reading> others = new ArrayList<>();
      others.add(new Reading(HypervisorShares.SWITCHES, "1/s", dispatches));
      others.add(
          new Reading(
              HypervisorShares.WAIT_PER_DISPATCH,
              "µs",
              dispatches > 0 ? wait * domain.vcpus() * MICROS / dispatches : Double.NaN));
      if (requests > 0) {
        others.add(new Reading(HypervisorShares.IO_REQUESTS, "1/s", requests));
      }
      return others;
    }

    private List<String> notes(
        Domain domain, int[] known, List<XenmonRow> rows, double run, double wait) {
      List<String> notes = new ArrayList<>();
      if (rows.isEmpty()) {
        notes.add("never ran: the log does not show whether it slept or waited all the time");
      }
      if (known.length < inside.length) {
        notes.add(inside.length - known.length + " of " + inside.length + " s lost to damage");
      }
      boolean onePcpu = rows.stream().mapToInt(XenmonRow::pcpu).distinct().count() == 1;
      if (domain.vcpus() > 1 && !rows.isEmpty()) {
        notes.add("xenmon is not well tested with several vCPUs");
      } else if (onePcpu && rows.size() == known.length) {
        crossCheck(rows, run, wait).ifPresent(notes::add);
      }
      return notes;
    }

    /** With one vCPU on one pCPU, blocked lies between the rest and the rest plus the wait. */
    private static Optional<String> crossCheck(List<XenmonRow> rows, double run, double wait) {
      double blocked =
          rows.stream().mapToDouble(XenmonRow::blockedRate).average().orElse(Double.NaN) / NANOS;
      boolean fits = blocked <= 1 - run + CROSS_CHECK && blocked >= 1 - run - wait - CROSS_CHECK;
      return fits
          ? Optional.empty()
          : Optional.of(
              Phrase.of(
                  "xenmon's own blocked column shows %.1f %%, which does not match",
                  blocked * 100));
    }

    /** Returns shares per second of the window; a pass belongs to the second of its middle. */
    List<MonitorResult.Second> series(List<Domain> domains) {
      List<MonitorResult.Second> series = new ArrayList<>();
      for (int pass : inside) {
        Instant middle = at((start(pass) + end(pass)) / 2);
        int second = (int) Duration.between(window.start(), middle).toSeconds();
        for (Domain domain : domains) {
          if (passes.known(domain.id(), pass)) {
            series.add(
                new MonitorResult.Second(
                    second, domain.name(), runShare(domain, pass), waitShare(domain, pass)));
          }
        }
      }
      return series;
    }

    private double runShare(Domain domain, int pass) {
      return passes.rowsOf(domain.id(), pass).stream().mapToDouble(XenmonRow::runRate).sum()
          / NANOS
          / domain.vcpus();
    }

    private double waitShare(Domain domain, int pass) {
      return passes.rowsOf(domain.id(), pass).stream().mapToDouble(layout::waitRate).sum()
          / NANOS
          / domain.vcpus();
    }

    private double start(int pass) {
      return passes.startMillis(pass);
    }

    private double end(int pass) {
      return passes.endMillis().get(pass);
    }

    private double seconds(int pass) {
      return (end(pass) - start(pass)) / 1000;
    }

    private Instant at(double millis) {
      return zero.plusNanos((long) (millis * 1e6));
    }
  }
}
