package io.slicewise.sweep.window;

import io.slicewise.experiment.Experiment;
import io.slicewise.experiment.HostSpec;
import io.slicewise.host.Domain;
import io.slicewise.host.HostDescription;
import io.slicewise.host.Hypervisor;
import io.slicewise.host.monitor.ChangeWatch;
import io.slicewise.host.monitor.HypervisorShares;
import io.slicewise.host.monitor.Monitor;
import io.slicewise.host.monitor.Monitors;
import io.slicewise.observe.Observer;
import io.slicewise.run.RunDirectory;
import io.slicewise.run.journal.RunPlace;
import io.slicewise.ssh.RemoteShell;
import io.slicewise.sweep.guard.HostShells;
import java.util.ArrayList;
import java.util.List;

/** A connection to the host and the tools found on it. */
public record HostSession(
    RemoteShell shell,
    Hypervisor hypervisor,
    HostDescription host,
    Monitor monitor,
    boolean sudo,
    MachineWatch machines)
    implements AutoCloseable {

  /**
   * Opens a session for the run, whose id is in the names of its temporary directories on the host.
   */
  public static HostSession open(Experiment experiment, RunDirectory run) {
    HostSpec spec = experiment.namedHost();
    RemoteShell shell = HostShells.recorded(spec, run);
    try {
      Hypervisor hypervisor = HostShells.hypervisor(shell, experiment);
      HostDescription host = hypervisor.describe();
      String owner = run.place().map(RunPlace::run).orElse("");
      Monitor monitor = Monitors.probe(shell, host, spec.sudo(), owner);
      return new HostSession(
          shell,
          hypervisor,
          host,
          monitor,
          spec.sudo(),
          MachineWatch.open(shell, hypervisor, spec.limits(), experiment.watching()));
    } catch (RuntimeException e) {
      shell.close();
      throw e;
    }
  }

  /** Returns the observers for a window that begins now. */
  public List<Observer> observers() {
    return observers(false);
  }

  /**
   * Returns the observers for a trial that begins now.
   *
   * @param work whether nobody knows how long it takes; a monitor that must know is not used
   */
  public List<Observer> observers(boolean work) {
    List<Domain> domains = hypervisor.domains();
    Monitor used = work && monitor.runsForALength() ? Monitors.none(monitor.name()) : monitor;
    List<Observer> observers =
        new ArrayList<>(
            List.of(
                new HypervisorShares(used.ready(domains), domains), machines.observer(domains)));
    ChangeWatch.of(shell, hypervisor.kind(), host, sudo, domains).ifPresent(observers::add);
    return List.copyOf(observers);
  }

  /**
   * Removes files of killed processes of the run from the host's /tmp; returns a sentence for each.
   */
  public List<String> removeLeftDirectories(RunDirectory run) {
    return Monitors.removeLeft(shell, sudo, RunDirectory.ids(run.events())).stream()
        .map(directory -> "removed %s, left by a killed process of this run".formatted(directory))
        .toList();
  }

  @Override
  public void close() {
    machines.close();
    shell.close();
  }
}
