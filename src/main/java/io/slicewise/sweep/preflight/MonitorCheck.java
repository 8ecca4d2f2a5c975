package io.slicewise.sweep.preflight;

import io.slicewise.host.Domain;
import io.slicewise.host.monitor.Monitor;
import io.slicewise.host.monitor.MonitorResult;
import io.slicewise.host.monitor.Monitors;
import io.slicewise.sweep.preflight.HostCheck.Reached;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** Checks which monitor the host offers, and which of its limitations apply here. */
final class MonitorCheck {
  private static final int XENMON_DOMAINS = 31;

  private MonitorCheck() {}

  static List<CheckResult> check(Reached host) {
    if (host.hypervisor().kind().bare()) {
      return List.of();
    }
    Monitor monitor = Monitors.probe(host.shell(), host.description(), host.sudo());
    List<CheckResult> findings = new ArrayList<>();
    findings.add(verdict(monitor, host.hypervisor().kind().monitors().isEmpty()));
    if (monitor.name().equals("xenmon")) {
      findings.addAll(xenmonTraps(host.domains()));
    }
    return findings;
  }

  private static CheckResult verdict(Monitor monitor, boolean noneFits) {
    String because = monitor.remarks().isEmpty() ? "" : ": " + String.join("; ", monitor.remarks());
    return switch (monitor.name()) {
      case "xentop" ->
          CheckResult.warning(
              "monitor",
              "only xentop" + because,
              "install xentrace and xenalyze, or xenmon, to measure wait and blocked");
      case MonitorResult.NONE ->
          CheckResult.warning(
              "monitor",
              "none" + because,
              noneFits ? "" : "install xentrace and xenalyze, or xenmon, to measure shares");
      default ->
          CheckResult.ok("monitor", "run, wait and blocked come from " + monitor.name() + because);
    };
  }

  private static List<CheckResult> xenmonTraps(List<Domain> domains) {
    List<CheckResult> traps = new ArrayList<>();
    String several =
        domains.stream()
            .filter(domain -> domain.vcpus() > 1)
            .map(Domain::name)
            .collect(Collectors.joining(", "));
    if (!several.isEmpty()) {
      traps.add(
          CheckResult.warning(
              "monitor",
              "xenmon is not well tested with several vCPUs (" + several + ")",
              "compare the run share with the CPU seconds of xl list"));
    }
    if (domains.size() > XENMON_DOMAINS) {
      traps.add(
          CheckResult.warning(
              "monitor",
              "xenmon follows " + XENMON_DOMAINS + " domains, the host runs " + domains.size(),
              "shares of the others are not measured; use xentrace and xenalyze instead"));
    }
    return traps;
  }
}
