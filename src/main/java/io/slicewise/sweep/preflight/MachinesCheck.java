package io.slicewise.sweep.preflight;

import io.slicewise.base.units.Phrase;
import io.slicewise.experiment.Experiment;
import io.slicewise.host.Domain;
import io.slicewise.host.monitor.machine.GuestDisks;
import io.slicewise.host.monitor.machine.MachineProbe;
import io.slicewise.host.monitor.machine.MachineProbe.MachineLook;
import io.slicewise.ssh.RemoteShellException;
import io.slicewise.sweep.preflight.HostCheck.Reached;
import io.slicewise.sweep.window.MachineWatch;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Signs in to every machine whose kernel is read, reads it once, and follows the guests' disks. */
final class MachinesCheck {
  private static final String DISKS = "/proc/diskstats";

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
    if (host.hypervisor().kind().controlDomain().isPresent()) {
      findings.addAll(
          disks(GuestDisks.of(host.shell(), host.sudo(), Domain.names(host.domains()))));
    }
    return findings;
  }

  private static List<CheckResult> disks(GuestDisks found) {
    List<CheckResult> findings = new ArrayList<>();
    if (!found.types().isEmpty()) {
      findings.add(
          CheckResult.ok(
              "guests",
              found.types().entrySet().stream()
                  .sorted(Map.Entry.comparingByKey())
                  .map(guest -> guest.getKey() + " " + guest.getValue())
                  .collect(Collectors.joining(", "))));
    }
    for (GuestDisks.Disk disk : found.disks()) {
      String sentence = disk.name() + ": " + disk.way();
      findings.add(
          disk.buffered()
              ? CheckResult.warning(
                  "disks",
                  sentence,
                  "dom0 keeps what the guest reads in its cache; losetup --direct-io=on, then"
                      + " attach the disk again")
              : CheckResult.ok("disks", sentence));
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

  static List<CheckResult> findings(String machine, MachineLook look) {
    List<CheckResult> findings = new ArrayList<>();
    findings.add(
        CheckResult.ok(
            "machines",
            Phrase.of(
                "%s%s answers in %.1f ms, its clock is known to %.0f ms; steal %s, pressure %s%s",
                machine,
                look.type().isEmpty() ? "" : " (%s)".formatted(look.type()),
                look.roundTripMillis(),
                look.doubtMillis(),
                steal(look),
                look.pressure() ? "counted" : "not counted",
                disks(look))));
    List<String> missing =
        look.missing().stream()
            .filter(file -> !file.startsWith("/proc/pressure/") && !file.equals(DISKS))
            .toList();
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

  /** The file of a machine without disks is empty. */
  private static String disks(MachineLook look) {
    if (look.missing().contains(DISKS)) {
      return "; no disks";
    }
    return look.disks().isEmpty() ? "" : "; disks " + String.join(", ", look.disks());
  }

  private static String steal(MachineLook look) {
    return Double.isNaN(look.steal())
        ? "not counted"
        : look.steal() > 0 ? "counted" : "0 since its boot: not counted, or nothing was stolen";
  }
}
