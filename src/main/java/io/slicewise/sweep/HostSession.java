package io.slicewise.sweep;

import io.slicewise.experiment.HostSpec;
import io.slicewise.host.Domain;
import io.slicewise.host.HostDescription;
import io.slicewise.host.Hypervisor;
import io.slicewise.host.monitor.HypervisorShares;
import io.slicewise.host.monitor.MachineProbe;
import io.slicewise.host.monitor.Machines;
import io.slicewise.host.monitor.Monitor;
import io.slicewise.host.monitor.Monitors;
import io.slicewise.observe.Observer;
import io.slicewise.observe.Tier;
import io.slicewise.run.RunDirectory;
import io.slicewise.run.RunPlace;
import io.slicewise.ssh.RemoteShell;
import java.util.List;
import java.util.Optional;

/** A connection to the host and the tools found on it. */
public record HostSession(
    RemoteShell shell,
    Hypervisor hypervisor,
    HostDescription host,
    Monitor monitor,
    boolean sudo,
    List<MachineProbe> probes)
    implements AutoCloseable {

  /**
   * Opens a session for the run, whose id is in the names of its temporary directories on the host.
   */
  static HostSession open(HostSpec spec, RunDirectory run) {
    RemoteShell shell = HostShells.open(spec);
    try {
      Hypervisor hypervisor = HostShells.hypervisor(shell, spec);
      HostDescription host = hypervisor.describe();
      String owner = run.place().map(RunPlace::run).orElse("");
      Monitor monitor = Monitors.probe(shell, host, spec.sudo(), owner);
      return new HostSession(
          shell, hypervisor, host, monitor, spec.sudo(), List.of(ofHost(shell, hypervisor)));
    } catch (RuntimeException e) {
      shell.close();
      throw e;
    }
  }

  private static MachineProbe ofHost(RemoteShell shell, Hypervisor hypervisor) {
    Optional<String> control = hypervisor.kind().controlDomain();
    return new MachineProbe(
        control.orElse("host"),
        control.isPresent() ? Tier.DOM0 : Tier.HOST,
        Optional.empty(),
        List.of(),
        () -> shell,
        MachineProbe.Connects.THROUGH_ANOTHER);
  }

  /** Returns the observers for a trial that begins now. */
  List<Observer> observers() {
    List<Domain> domains = hypervisor.domains();
    probes.forEach(MachineProbe::ready);
    return List.of(
        new HypervisorShares(monitor.ready(domains), domains),
        new Machines(probes, Optional.empty()));
  }

  /**
   * Removes files of killed processes of the run from the host's /tmp; returns a sentence for each.
   */
  List<String> removeLeftDirectories(RunDirectory run) {
    return Monitors.removeLeft(shell, sudo, RunDirectory.ids(run.events())).stream()
        .map(directory -> "removed %s, left by a killed process of this run".formatted(directory))
        .toList();
  }

  @Override
  public void close() {
    probes.forEach(MachineProbe::close);
    shell.close();
  }
}
