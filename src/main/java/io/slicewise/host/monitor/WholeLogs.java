package io.slicewise.host.monitor;

import io.slicewise.base.units.Window;
import io.slicewise.host.Domain;
import io.slicewise.host.HostDescription;
import io.slicewise.host.monitor.XenmonLog.XenmonRow;
import io.slicewise.host.monitor.machine.ProcUse;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.TreeSet;
import java.util.function.Predicate;

/**
 * Reduces complete logs without further information. Their clocks have no time of day, so their
 * time is counted from the epoch.
 */
final class WholeLogs {
  private static final Duration LONGEST = Duration.ofDays(100);
  private static final String POOL = "Pool-0";

  private final HostDescription host;
  private final List<Domain> told;
  private final List<String> remarks = new ArrayList<>();

  WholeLogs(HostDescription host, List<Domain> told) {
    this.host = host;
    this.told = List.copyOf(told);
  }

  private static Window ever() {
    return new Window(Instant.EPOCH, Instant.EPOCH.plus(LONGEST));
  }

  MonitorResult xenmon(List<XenmonLog> logs) {
    TreeSet<Integer> ids = new TreeSet<>();
    logs.forEach(log -> log.rows().forEach(row -> ids.add(row.domain())));
    logs.forEach(log -> log.domain().ifPresent(ids::add));
    ids.remove(XenmonRow.IDLE);
    List<Domain> domains =
        ids.stream().map(id -> domain(known -> known.id() == id, "domain " + id, id)).toList();
    MonitorResult result =
        XenmonLogs.reduce(logs, host, Instant.EPOCH, ever(), domains, List.copyOf(remarks));
    return new MonitorResult(
        result.source(),
        result.covered(),
        result.shares(),
        result.series(),
        result.warnings().stream()
            .filter(said -> !said.startsWith("xenmon's records cover"))
            .toList());
  }

  MonitorResult xenalyze(XenalyzeSummary summary) {
    XenalyzeReduction reduction = new XenalyzeReduction(summary, Double.NaN);
    List<DomainShares> shares = new ArrayList<>();
    summary
        .domains()
        .forEach(
            (id, vcpus) -> {
              if (id < XenalyzeSummary.IDLE) {
                Domain seen = new Domain("domain " + id, id, vcpus.size(), 0, POOL);
                shares.add(reduction.shares(known(known -> known.id() == id).orElse(seen)));
              }
            });
    remarks.addAll(summary.damage().sentences("xenalyze's summary"));
    if (!reduction.usable()) {
      remarks.add("the length of the trace is missing: nothing is measured");
    }
    double seconds = reduction.usable() ? reduction.seconds(Double.NaN) : 0;
    return result("xenalyze", seconds, shares);
  }

  /** Reduces xentop's output; its first iteration shows zeros because there is no earlier one. */
  MonitorResult xentop(XentopBatch batch) {
    List<Map<String, Double>> iterations =
        batch
            .iterations()
            .subList(Math.min(1, batch.iterations().size()), batch.iterations().size());
    TreeSet<String> names = new TreeSet<>();
    iterations.forEach(iteration -> names.addAll(iteration.keySet()));
    List<DomainShares> shares = new ArrayList<>();
    for (String name : names) {
      Domain domain = domain(known -> known.name().equals(name), name, -1);
      OptionalDouble percent =
          iterations.stream()
              .filter(iteration -> iteration.containsKey(name))
              .mapToDouble(iteration -> iteration.get(name))
              .average();
      shares.add(
          Accounting.shares(
              domain,
              percent.orElse(Double.NaN) / 100 / domain.vcpus(),
              Double.NaN,
              List.of("xentop shows CPU use only")));
    }
    remarks.addAll(batch.damage().sentences("xentop's output"));
    return result("xentop", 0, shares);
  }

  /**
   * Reduces the counters of one machine from its own point of view: stolen time is waiting; idle
   * time, including waiting for disks, is the rest.
   */
  MonitorResult proc(ProcLog log, ProcUse use) {
    Domain machine = told.size() == 1 ? told.get(0) : new Domain("the machine", -1, 1, 0, POOL);
    Domain seen =
        new Domain(machine.name(), machine.id(), Math.max(log.cpus(), machine.vcpus()), 0, POOL);
    double stolen = use.share("steal");
    List<String> notes =
        use.cpuShares().isEmpty() || Double.isFinite(stolen)
            ? List.of()
            : List.of("this kernel does not report stolen time");
    remarks.addAll(log.damage().sentences("the recording of /proc"));
    remarks.addAll(log.wentBack());
    if (use.seconds() == 0) {
      remarks.add("there are no two consecutive snapshots: nothing is measured");
    }
    return result(
        "proc", use.seconds(), List.of(Accounting.shares(seen, use.busy(), stolen, notes)));
  }

  private MonitorResult result(String source, double seconds, List<DomainShares> shares) {
    remarks.addAll(Accounting.overCommitted(shares, host.pcpus()));
    Window covered = new Window(Instant.EPOCH, Instant.EPOCH.plusNanos(Math.round(seconds * 1e9)));
    return new MonitorResult(source, covered, shares, List.of(), remarks);
  }

  private Optional<Domain> known(Predicate<Domain> which) {
    return told.stream().filter(which).findFirst();
  }

  private Domain domain(Predicate<Domain> which, String name, int id) {
    return known(which)
        .orElseGet(
            () -> {
              remarks.add(name + " is assumed to have one vCPU, because the number is unknown");
              return new Domain(name, id, 1, 0, POOL);
            });
  }
}
