package io.slicewise.lab.xl;

import io.slicewise.base.units.Phrase;
import io.slicewise.lab.host.DomainState;
import io.slicewise.lab.host.VcpuState;
import io.slicewise.profile.Rtds;
import io.slicewise.profile.SchedulerParameters;

/** The headers and rows of {@code xl sched-rtds}. */
record RtdsRows(Libxl libxl) {
  private static final int DEFAULT_PERIOD = 10_000;
  private static final int DEFAULT_BUDGET = 4_000;

  String header(boolean byVcpu) {
    String vcpu = byVcpu ? Phrase.of(" %4s", "VCPU") : "";
    String extratime = libxl.since(4, 10) ? Phrase.of(" %10s", "Extratime") : "";
    return Phrase.of("%-33s %4s", "Name", "ID")
        + vcpu
        + Phrase.of(" %9s %9s", "Period", "Budget")
        + extratime
        + "\n";
  }

  /**
   * Returns the row of a whole domain: actual values up to 4.6, the hypervisor's constants since.
   */
  String domain(DomainState domain) {
    SchedulerParameters live = domain.parameters();
    boolean truth = !libxl.since(4, 7);
    return Phrase.of(
            "%-33s %4d %9d %9d",
            domain.name(),
            domain.id(),
            truth ? live.get(Rtds.PERIOD).toNanos() / 1000 : DEFAULT_PERIOD,
            truth ? live.get(Rtds.BUDGET).toNanos() / 1000 : DEFAULT_BUDGET)
        + (libxl.since(4, 10) ? Phrase.of(" %10s", "yes") : "")
        + "\n";
  }

  String vcpu(DomainState domain, VcpuState vcpu) {
    SchedulerParameters live = vcpu.parameters();
    String extratime = live.get(Rtds.EXTRATIME) ? "yes" : "no";
    return Phrase.of(
            "%-33s %4d %4d %9d %9d",
            domain.name(),
            domain.id(),
            vcpu.id(),
            live.get(Rtds.PERIOD).toNanos() / 1000,
            live.get(Rtds.BUDGET).toNanos() / 1000)
        + (libxl.since(4, 10) ? Phrase.of(" %10s", extratime) : "")
        + "\n";
  }
}
