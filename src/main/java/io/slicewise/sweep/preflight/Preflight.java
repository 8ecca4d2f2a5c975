package io.slicewise.sweep.preflight;

import io.slicewise.base.units.SlicewiseException;
import io.slicewise.experiment.Experiment;
import io.slicewise.host.HypervisorException;
import io.slicewise.ssh.RemoteShellException;
import io.slicewise.sweep.GuestMemory;
import io.slicewise.sweep.preflight.CheckResult.Level;
import io.slicewise.sweep.preflight.HostCheck.Reached;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/** All checks before a run of an experiment, in a sensible order. */
public final class Preflight {
  private Experiment experiment;
  private final Path results;
  private final List<CheckResult> findings = new ArrayList<>();

  private Preflight(Experiment experiment, Path results) {
    this.experiment = experiment;
    this.results = results;
  }

  /**
   * Checks everything the experiment needs and changes nothing. Problems are findings, never
   * exceptions.
   *
   * @param results the directory for run directories; need not exist
   */
  public static List<CheckResult> examine(Experiment experiment, Path results) {
    return new Preflight(experiment, results).examine();
  }

  /** Whether the findings prevent a run. */
  public static boolean blocks(List<CheckResult> findings) {
    return findings.stream().anyMatch(finding -> finding.level() == Level.BLOCKING);
  }

  private List<CheckResult> examine() {
    host();
    check("workload", this::workload);
    check("generator", () -> GeneratorsCheck.check(experiment));
    check("disk here", () -> List.of(SpaceCheck.here(experiment, results)));
    return List.copyOf(findings);
  }

  private List<CheckResult> workload() {
    List<CheckResult> found = new ArrayList<>();
    experiment = GuestMemory.sized(experiment, said -> found.add(CheckResult.ok("workload", said)));
    found.addAll(WorkloadCheck.check(experiment));
    return found;
  }

  private void host() {
    if (experiment.host().isEmpty()) {
      findings.add(
          CheckResult.blocking(
              "host", "the experiment names no host", "add 'host:' with its address"));
      return;
    }
    HostCheck check = new HostCheck(experiment.host().get());
    Optional<Reached> reached = check.reach();
    findings.addAll(check.findings());
    if (reached.isEmpty()) {
      return;
    }
    try (Reached host = reached.get()) {
      check("domains", () -> DomainsCheck.check(experiment, host));
      check("profiles", () -> ProfilesCheck.check(experiment, host));
      check("dead man", () -> SwitchCheck.check(experiment, host));
      check("monitor", () -> MonitorCheck.check(host));
      check("machines", () -> MachinesCheck.check(experiment, host));
      check("disk there", () -> List.of(SpaceCheck.there(experiment, host)));
    }
  }

  private void check(String subject, Supplier<List<CheckResult>> check) {
    try {
      findings.addAll(check.get());
    } catch (RemoteShellException e) {
      findings.add(CheckResult.blocking(subject, e.getMessage(), e.hint()));
    } catch (HypervisorException e) {
      findings.add(CheckResult.blocking(subject, e.getMessage(), e.hint()));
    } catch (SlicewiseException e) {
      findings.add(CheckResult.blocking(subject, e.getMessage(), e.hint()));
    }
  }
}
