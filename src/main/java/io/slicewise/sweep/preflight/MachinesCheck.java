package io.slicewise.sweep.preflight;

import io.slicewise.experiment.Experiment;
import io.slicewise.host.monitor.MachineLook;
import io.slicewise.host.monitor.MachineProbe;
import io.slicewise.ssh.RemoteShellException;
import io.slicewise.sweep.MachineWatch;
import io.slicewise.sweep.preflight.HostCheck.Reached;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Signs in to every machine whose kernel is read, and reads it once. */
final class MachinesCheck {
  private MachinesCheck() {}

  static List<CheckResult> check(Experiment experiment, Reached host) {
    List<CheckResult> findings = new ArrayList<>();
    try (MachineWatch machines =
        MachineWatch.open(
            host.shell(),
            host.hypervisor(),
            experiment.host().orElseThrow().limits(),
            experiment.watching())) {
      for (MachineProbe probe : machines.probes()) {
        findings.addAll(check(probe, experiment.watching().needed().contains(probe.machine())));
      }
    }
    return findings;
  }

  private static List<CheckResult> check(MachineProbe probe, boolean needed) {
    String machine = probe.machine();
    try {
      return findings(machine, probe.look());
    } catch (RemoteShellException fault) {
      String said = "%s cannot be read: %s".formatted(machine, fault.getMessage());
      return List.of(
          needed
              ? CheckResult.blocking("machines", said, fault.hint())
              : CheckResult.warning("machines", said, fault.hint()));
    }
  }

  private static List<CheckResult> findings(String machine, MachineLook look) {
    List<CheckResult> findings = new ArrayList<>();
    findings.add(
        CheckResult.ok(
            "machines",
            String.format(
                Locale.ROOT,
                "%s answers in %.1f ms, its clock is known to %.0f ms; steal %s, pressure %s%s",
                machine,
                look.roundTripMillis(),
                look.doubtMillis(),
                steal(look),
                look.pressure() ? "counted" : "not counted",
                look.disks().isEmpty() ? "" : "; disks " + String.join(", ", look.disks()))));
    List<String> missing =
        look.missing().stream().filter(file -> !file.startsWith("/proc/pressure/")).toList();
    if (!missing.isEmpty()) {
      findings.add(
          CheckResult.warning(
              "machines",
              "%s has no %s".formatted(machine, String.join(", ", missing)),
              "what they count is missing in the results"));
    }
    if (!look.service()) {
      findings.add(
          CheckResult.warning(
              "machines",
              "%s has no control group of its service".formatted(machine),
              "check the name of the unit with systemctl, and that it runs"));
    }
    return findings;
  }

  private static String steal(MachineLook look) {
    return Double.isNaN(look.steal())
        ? "not counted"
        : look.steal() > 0 ? "counted" : "0 since its boot, so not counted or never waited";
  }
}
