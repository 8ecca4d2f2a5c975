package io.slicewise.lab.xl;

import io.slicewise.lab.host.DomainState;
import io.slicewise.lab.host.VcpuState;
import io.slicewise.profile.Rtds;
import io.slicewise.profile.SchedulerParameters;
import java.util.Locale;

/** The headers and rows of {@code xl sched-rtds}. */
record RtdsRows(Libxl libxl) {
  private static final int DEFAULT_PERIOD = 10_000;
  private static final int DEFAULT_BUDGET = 4_000;

  String header(boolean byVcpu) {
    String vcpu = byVcpu ? String.format(Locale.ROOT, " %4s", "VCPU") : "";
    String extratime = libxl.since(4, 10) ? String.format(Locale.ROOT, " %10s", "Extratime") : "";
    return String.format(Locale.ROOT, "%-33s %4s", "Name", "ID")
        + vcpu
        + String.format(Locale.ROOT, " %9s %9s", "Period", "Budget")
        + extratime
        + "\n";
  }

  /**
   * Returns the row of a whole domain: actual values up to 4.6, the hypervisor's constants since.
   */
  String domain(DomainState domain) {
    SchedulerParameters live = domain.parameters();
    boolean truth = !libxl.since(4, 7);
    return String.format(
            Locale.ROOT,
            "%-33s %4d %9d %9d",
            domain.name(),
            domain.id(),
            truth ? live.get(Rtds.PERIOD).toNanos() / 1000 : DEFAULT_PERIOD,
            truth ? live.get(Rtds.BUDGET).toNanos() / 1000 : DEFAULT_BUDGET)
        + (libxl.since(4, 10) ? String.format(Locale.ROOT, " %10s", "yes") : "")
        + "\n";
  }

  String vcpu(DomainState domain, VcpuState vcpu) {
    SchedulerParameters live = vcpu.parameters();
    String extratime = live.get(Rtds.EXTRATIME) ? "yes" : "no";
    return String.format(
            Locale.ROOT,
            "%-33s %4d %4d %9d %9d",
            domain.name(),
            domain.id(),
            vcpu.id(),
            live.get(Rtds.PERIOD).toNanos() / 1000,
            live.get(Rtds.BUDGET).toNanos() / 1000)
        + (libxl.since(4, 10) ? String.format(Locale.ROOT, " %10s", extratime) : "")
        + "\n";
  }
}
